/// What an origin asked of a client certificate, and what it got (RFC 8446, section 4.3.2). For records and refusals.
public struct ClientCertificateFacts: Sendable, Hashable {
  /// An identity that the rule permits and that was not shown.
  public struct PassedOver: Sendable, Hashable {
    /// Its name under `identities`.
    public var name: String
    /// A clause, such as "it expired on 2026-01-31".
    public var reason: String

    public init(name: String, reason: String) {
      self.name = name
      self.reason = reason
    }
  }

  /// The first names of authorities that the origin accepts; empty: any. They come from outside.
  public var acceptableIssuers: [String]
  /// How many authorities it named.
  public var acceptableIssuerCount: Int
  /// Kinds of keys that it accepts, such as `RSA` and `EC`.
  public var keyTypes: [String]
  /// The name of the identity that was shown; nil: none.
  public var sent: String?
  /// In the order of the rule.
  public var passedOver: [PassedOver]
  /// Asked for after the handshake.
  public var isLate: Bool

  public init(
    acceptableIssuers: [String], acceptableIssuerCount: Int, keyTypes: [String], sent: String?,
    passedOver: [PassedOver], isLate: Bool
  ) {
    self.acceptableIssuers = acceptableIssuers
    self.acceptableIssuerCount = acceptableIssuerCount
    self.keyTypes = keyTypes
    self.sent = sent
    self.passedOver = passedOver
    self.isLate = isLate
  }

  /// Why none was shown; a clause. nil: one was.
  public var reason: String? {
    guard sent == nil else { return nil }
    guard !passedOver.isEmpty else { return "no rule names an identity for this host" }
    return passedOver.map { "\(OriginRequirements.excerpt($0.name)): \($0.reason)" }.joined(separator: "; ")
  }

  /// `, issued by "CN=A" or "CN=B" or one of 5 more,` as it follows "a client certificate"; empty: any issuer will do.
  var issuersPhrase: String {
    guard !acceptableIssuers.isEmpty else { return "" }
    let shown = acceptableIssuers.prefix(3).map { "\"\(OriginRequirements.printable($0))\"" }
    let others = acceptableIssuerCount - shown.count
    return " issued by \(shown.joined(separator: " or "))\(others > 0 ? " or one of \(others) more" : "")"
  }
}
