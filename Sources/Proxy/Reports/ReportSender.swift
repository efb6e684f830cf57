import Bytes
import Configuration
import EventLoop
import HTTP
import Names
import Policy
import TLS

/// Posts one report over a connection of its own and looks at the status of the answer alone. Confined to its loop.
///
/// The connection is made as every other to an origin is (`upstream.resolve`, dialling, TLS, verdict), in the lane of the daemon's own
/// requests: ordinary trust, no rules and no pins. So a report about the host that takes reports makes no further report.
final class ReportSender {
  /// For name, TCP, TLS, and the answer together.
  private static let timeLimit = Duration.seconds(30)

  private let report: PinReport
  private let worker: Worker
  private let plan: OriginPlan
  private var done: ((String?) -> Void)?
  private var attempt: OriginAttempt?
  private var transport: Transport?
  private var decoder = HTTP1ResponseDecoder()
  private var timer: Timer?

  /// - Parameter done: called once, never inside `start`; with what went wrong, or nil.
  init(_ report: PinReport, worker: Worker, done: @escaping (String?) -> Void) {
    self.report = report
    self.worker = worker
    self.done = done
    let lane = worker.generation.configuration.ownLane
    plan = worker.plan(
      for: OriginPlan.Key(
        scheme: report.address.scheme, host: report.address.host, port: report.address.port, context: .app,
        lane: ObjectIdentifier(lane), isGuarded: false, dialled: nil), lane: lane)
  }

  func start() {
    let timer = Timer(loop: worker.loop) { [weak self] in self?.end("it took longer than 30 seconds") }
    self.timer = timer
    timer.start(after: Self.timeLimit)
    let attempt = OriginAttempt(plan: plan, worker: worker, layer: .http1)
    self.attempt = attempt
    attempt.claim(self)
    attempt.start()
  }

  /// Nobody wants to know any more.
  func cancel() {
    done = nil
    end(nil)
  }

  private func send(over transport: Transport) {
    self.transport = transport
    transport.attach(to: self)
    var fields = HeaderList()
    fields.append(name: "Host", value: plan.authorityText)
    fields.append(name: "User-Agent", value: "pinwarden")
    fields.append(name: "Accept", value: "*/*")
    fields.append(name: "Content-Type", value: "application/json")
    HTTP1Encoder.writeRequest(
      RequestHead(method: .post, target: report.address.pathAndQuery, fields: fields),
      framing: .length(UInt64(report.body.count)), via: nil, into: transport.outgoing)
    report.body.withUnsafeBytes { transport.outgoing.append($0) }
    decoder.expect(.post)
    transport.scheduleFlush()
    transport.resumeReading()
  }

  /// Reads until the head of the answer is there; nothing behind it is of use.
  private func read(_ transport: Transport) {
    do throws(HTTPFault) {
      while true {
        switch try decoder.next(transport.received) {
        case .head(let head, _):
          return end((200..<300).contains(head.status) ? nil : "the answer was \(head.status)")
        case .informational: continue
        default:
          guard transport.hasEnded else { return transport.resumeReading() }
          return end("the connection ended without an answer")
        }
      }
    } catch {
      end(error.reason)
    }
  }

  private func end(_ failure: String?) {
    timer?.invalidate()
    timer = nil
    attempt?.release(self)
    attempt = nil
    transport?.close()
    transport = nil
    guard let done else { return }
    self.done = nil
    worker.loop.performSoon { done(failure) }
  }
}

extension ReportSender: OriginWaiter {
  func waits(for attempt: OriginAttempt) {
    self.attempt = attempt
  }

  func originReady(_ origin: OriginStream) {
    attempt = nil
    guard done != nil, case .http1(let connection) = origin else {
      origin.giveBack()
      return end("the address does not speak HTTP/1.1")
    }
    send(over: connection.handOver())
  }

  func originFailed(_ failure: OriginFailure) {
    attempt = nil
    end(failure.refusal.detail)
  }
}

extension ReportSender: TransportDelegate {
  func transportReceived(_ transport: Transport) { read(transport) }

  func transportDrained(_ transport: Transport) {}

  func transportSecured(_ transport: Transport) {}

  func transportFailed(_ transport: Transport, _ failure: TransportFailure) {
    end("the connection broke")
  }
}
