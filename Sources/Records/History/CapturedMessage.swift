/// What is kept of one message for the console and HAR: its fields and the beginning of its body. A plain value.
public struct CapturedMessage: Sendable, Hashable {
  public struct Field: Sendable, Hashable {
    public let name: String
    public let value: String

    /// What stands in place of a secret value.
    public static let redacted = "(redacted)"

    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// In the order of the message. Values that are secret (contract, section 5) are redacted already: nothing that is kept holds them.
  public var fields: [Field]
  /// The beginning of the body as it was on the wire, without its transfer coding and with its content coding.
  public var body: [UInt8]
  /// The body was longer than what may be kept.
  public var isTruncated: Bool

  public init(fields: [Field], body: [UInt8] = [], isTruncated: Bool = false) {
    self.fields = fields
    self.body = body
    self.isTruncated = isTruncated
  }
}
