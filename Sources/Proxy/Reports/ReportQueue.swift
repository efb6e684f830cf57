import EventLoop
import Names
import Policy
import Records
import TLS

/// Posts the reports of one loop, one after the other. Nothing waits for it: what does not fit into the queue is given up.
/// Confined to its loop; its worker, which it holds on to, closes it.
final class ReportQueue {
  private static let limit = 64

  private let worker: Worker
  private var waiting: [PinReport] = []
  private var sender: ReportSender?
  private var isClosed = false

  init(_ worker: Worker) {
    self.worker = worker
  }

  /// Takes a failure of an origin in; the reports are made later in the turn, when the handshake is done with.
  func add(_ failures: [PinFailure], of plan: OriginPlan, chain: [Certificate]) {
    guard !failures.isEmpty, !isClosed else { return }
    worker.loop.performSoon { [self] in
      for failure in failures {
        prepare(
          PinReport.Subject(
            failure: failure, host: plan.key.host, port: plan.key.port, chain: chain, time: worker.loop.wallClock,
            sender: worker.shared.reportSender))
      }
      sendNext()
    }
  }

  private func prepare(_ subject: PinReport.Subject) {
    for text in subject.failure.reportURIs {
      guard waiting.count < Self.limit else { return dropped(text) }
      guard let address = try? TargetURL(text), address.isFitForReports else { continue }
      let digest = PinReport.digest(of: subject, to: address)
      guard worker.shared.sentReports.take(digest, now: subject.time) else { continue }
      waiting.append(PinReport(subject, to: address, digest: digest))
    }
  }

  private func sendNext() {
    guard sender == nil, !waiting.isEmpty, !isClosed else { return }
    let report = waiting.removeFirst()
    let sender = ReportSender(report, worker: worker) { [self] failure in
      self.sender = nil
      ended(report, failure)
      sendNext()
    }
    self.sender = sender
    sender.start()
  }

  /// - Parameter failure: a sentence or clause; nil: it was delivered.
  private func ended(_ report: PinReport, _ failure: String?) {
    guard let failure else {
      worker.shared.log.write(LogEvent(.debug, "pin-report", [("uri", .text("\(report.address)"))]))
      return
    }
    worker.shared.sentReports.failed(report.digest, now: worker.loop.wallClock)
    warn("\(report.address)", "the report of a pin failure was not delivered: \(failure)")
  }

  private func dropped(_ address: String) {
    warn(address, "there are more reports of pin failures than can be delivered; some are given up")
  }

  private func warn(_ address: String, _ detail: String) {
    worker.shared.warnOnce(
      LogEvent(.warning, "report-failed", [("uri", .text(address)), ("detail", .text(detail))]), about: address)
  }

  /// The loop ends.
  func close() {
    isClosed = true
    waiting = []
    sender?.cancel()
    sender = nil
  }
}
