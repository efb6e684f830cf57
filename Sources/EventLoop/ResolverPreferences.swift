/// Which address of a name worked last, so that it is tried first. Bounded: when it is full it starts anew.
struct ResolverPreferences {
  private static let limit = 4096

  private var working: [String: SocketAddress] = [:]

  mutating func remember(_ address: SocketAddress, for name: String) {
    guard working[name] != address else { return }
    if working.count >= Self.limit, working[name] == nil { working = [:] }
    working[name] = address
  }

  /// The answer with that address in front, if it still has it; the others keep their order.
  func order(_ outcome: ResolveToken.Outcome, for name: String) -> ResolveToken.Outcome {
    guard !working.isEmpty, case .success(let addresses) = outcome, let first = working[name],
      let index = addresses.firstIndex(of: first), index > 0
    else { return outcome }
    var ordered = addresses
    ordered.insert(ordered.remove(at: index), at: 0)
    return .success(ordered)
  }
}
