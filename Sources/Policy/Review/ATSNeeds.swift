import Names

/// What a host needs beyond full App Transport Security: the parts of an entry of `NSExceptionDomains`.
public struct ATSNeeds: Sendable, Hashable {
  public var plainHTTP = false
  /// The lowest version that was negotiated; nil: TLS 1.2 or later will do.
  public var minimumTLS: TLSVersion?
  public var suitesWithoutForwardSecrecy = false
  /// What no exception permits, by the names of records.
  public var unmet: Set<String> = []

  public init() {}

  public var isEmpty: Bool { self == ATSNeeds() }

  /// Adds what a load needs.
  ///
  /// - Parameter violations: of full App Transport Security.
  public mutating func add(_ violations: [String], of load: ATSLoad) {
    for violation in violations {
      switch violation {
      case ATSPolicy.cleartextViolation: plainHTTP = true
      case ATSViolation.minimumTLS.name:
        guard let version = load.version else {
          unmet.insert(violation)
          continue
        }
        minimumTLS = min(minimumTLS ?? version, version)
      case ATSViolation.forwardSecrecy.name: suitesWithoutForwardSecrecy = true
      default: unmet.insert(violation)
      }
    }
  }

  /// The keys by name.
  public var keys: [String] {
    [
      plainHTTP ? ATSKey.insecureHTTP : nil, minimumTLS == nil ? nil : ATSKey.minimumTLS,
      suitesWithoutForwardSecrecy ? ATSKey.forwardSecrecy : nil,
    ].compactMap(\.self)
  }

  /// The members of the entry; empty where no exception is needed, or none helps.
  public var entry: [String: PropertyValue] {
    var members: [String: PropertyValue] = [:]
    if plainHTTP { members[ATSKey.insecureHTTP] = .boolean(true) }
    if let minimumTLS { members[ATSKey.minimumTLS] = .string(minimumTLS.name) }
    if suitesWithoutForwardSecrecy { members[ATSKey.forwardSecrecy] = .boolean(false) }
    return members
  }
}
