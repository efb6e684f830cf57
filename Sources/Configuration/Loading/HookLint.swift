import Names
import Policy

/// Looks for hosts under `bodies.hook` whose bodies would not be restored, though that was asked for. Warnings and notes only.
struct HookLint {
  private let settings: HookSettings
  private let headLimit: Int
  private let policy: LanePolicy
  private let root: Field

  /// A head below this leaves so little room that bodies go in very many pieces.
  private static let comfortableHead = 16 << 10

  /// - Parameter policy: the default lane's.
  init(_ draft: ConfigurationDraft, policy: LanePolicy, root: Field) {
    settings = draft.bodies.hook
    headLimit = draft.limits.head
    self.policy = policy
    self.root = root
  }

  func report() {
    guard !settings.hosts.isEmpty else { return }
    let hosts = root.member("bodies").member("hook").member("hosts")
    var seen: Set<HostPattern> = []
    for (index, pattern) in settings.hosts.enumerated() {
      let field = hosts.element(index)
      guard seen.insert(pattern).inserted else {
        field.report(.note, "`\(pattern)` is in `hosts` twice; take one away")
        continue
      }
      report(pattern, field)
    }
    guard headLimit < Self.comfortableHead else { return }
    root.member("limits").member("head").report(
      .warning, "restored bodies come in header fields, for which so small a head leaves little room; 64KiB is good")
  }

  /// Bodies are restored in what is intercepted only.
  private func report(_ pattern: HostPattern, _ field: Field) {
    guard let host = pattern.example else { return }
    let decision = policy.decide(
      RequestFacts(scheme: .https, host: host, port: pattern.port ?? 443, context: .web), tracing: .off)
    guard decision.action != .intercept else { return }
    let what = decision.action == .bypass ? "passed on unseen" : "refused"
    field.report(
      .warning,
      "`\(pattern)` has no effect here: \(host) is \(what) (\(decision.decidedBy?.rawValue ?? "by default")), and bodies are restored only "
        + "in what is intercepted; give it an entry in `rules.hosts` with `action: \"intercept\"`")
  }
}

extension Field {
  /// An element of a list that was read before, for a finding about it; the list itself where there is none.
  fileprivate func element(_ index: Int) -> Field {
    guard case .array(let elements) = node.value, elements.indices.contains(index) else { return self }
    return Field(node: elements[index], path: .element(of: path, index: index), reading: reading)
  }
}
