import Configuration
import Dispatch
import EventLoop
import Names
import Policy
import TLS

/// Diagnoses origins, several at a time. Whoever makes one ends it.
public final class Diagnoser: Sendable {
  /// How much is known when.
  public enum Progress: Sendable {
    case began(DiagnosisTarget)
    case ended(DiagnosisTarget, [HostDiagnosis])
  }

  /// Origins that are looked at together.
  private static let width = 8

  private let network: DiagnosticNetwork
  private let setup: DiagnosticSetup

  /// - Parameters:
  ///   - configurations: one for each OS whose rules are asked for; all but those rules is taken from the first.
  ///   - policies: the app's own, in the same order; empty: none.
  public init(_ configurations: [Configuration], policies: [AppPolicy] = []) throws(SystemError) {
    network = try DiagnosticNetwork()
    setup = DiagnosticSetup(configurations, policies)
  }

  public func end() { network.end() }

  /// Diagnoses all, and tells of each as it comes; the result has the order of the targets, and for each target that of the OS versions.
  public func diagnose(
    _ targets: [DiagnosisTarget], progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async -> [[HostDiagnosis]] {
    await withTaskGroup(of: (Int, [HostDiagnosis]).self) { group in
      var results = [[HostDiagnosis]](repeating: [], count: targets.count)
      var waiting = Array(targets.enumerated())[...]
      for (index, target) in waiting.prefix(Self.width) { add(target, index, to: &group, progress) }
      waiting = waiting.dropFirst(Self.width)
      while let (index, result) = await group.next() {
        results[index] = result
        if let (index, target) = waiting.popFirst() { add(target, index, to: &group, progress) }
      }
      return results
    }
  }

  private func add(
    _ target: DiagnosisTarget, _ index: Int, to group: inout TaskGroup<(Int, [HostDiagnosis])>,
    _ progress: @escaping @Sendable (Progress) -> Void
  ) {
    group.addTask { [network, setup] in
      progress(.began(target))
      var examination = Examination(target, setup, network)
      let result = await examination.run()
      progress(.ended(target, result))
      return (index, result)
    }
  }
}
