import Diagnosis
import Glibc
import Synchronization

/// One line on a terminal that says how far a diagnosis is; nothing elsewhere.
final class DiagnosisMeter: Sendable {
  private struct State {
    var running: [String] = []
    var doneCount = 0
  }

  private let count: Int
  private let isShown = isatty(STDERR_FILENO) == 1
  private let state = Mutex(State())

  init(count: Int) {
    self.count = count
  }

  func note(_ progress: Diagnoser.Progress) {
    guard isShown else { return }
    let line = state.withLock { state in
      switch progress {
      case .began(let target): state.running.append(target.name)
      case .ended(let target, _):
        state.running.removeAll { $0 == target.name }
        state.doneCount += 1
      }
      return "\(state.doneCount) of \(count) " + state.running.prefix(3).joined(separator: ", ")
    }
    Output.complain("\r\u{1B}[K\(PlainText.oneLine(String(line.prefix(79))))")
  }

  /// Takes the line away.
  func end() {
    if isShown { Output.complain("\r\u{1B}[K") }
  }
}
