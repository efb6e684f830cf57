import Policy

/// What an entry of `NSExceptionDomains` gives up.
struct ATSException: Sendable, Equatable {
  /// nil: the minimum stays.
  var minimumTLS: String?
  var withoutForwardSecrecy = false
  var insecureHTTP = false

  /// The members of the entry.
  var members: [String: PropertyValue] {
    var members: [String: PropertyValue] = [:]
    if let minimumTLS { members[ExceptionKey.minimumTLS] = .string(minimumTLS) }
    if withoutForwardSecrecy { members[ExceptionKey.forwardSecrecy] = .boolean(false) }
    if insecureHTTP { members[ExceptionKey.insecureHTTP] = .boolean(true) }
    return members
  }

  /// An `NSAppTransportSecurity` with this entry alone.
  func dictionary(for key: String) -> PropertyValue {
    .dictionary([ExceptionKey.domains: .dictionary([key: .dictionary(members)])])
  }

  /// Every entry that a host may be given, the smallest first: fewer keys, and of equally many those that give up less. Plain HTTP and a
  /// lower version need a justification in App Review, forward secrecy does not (spec A.7).
  static let bySize: [ATSException] = {
    let versions: [String?] = [nil, "TLSv1.1", "TLSv1.0"]
    let all = [false, true].flatMap { http in
      versions.flatMap { version in
        [false, true].map { ATSException(minimumTLS: version, withoutForwardSecrecy: $0, insecureHTTP: http) }
      }
    }
    // The sort is stable for what it calls equal: written out, not relied on.
    return all.enumerated().sorted {
      ($0.element.members.count, $0.offset) < ($1.element.members.count, $1.offset)
    }.map(\.element).filter { !$0.members.isEmpty }
  }()
}
