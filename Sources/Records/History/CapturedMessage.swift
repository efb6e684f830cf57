/// What is kept of one message for the console and HAR: its fields and the beginning of its body. A plain value.
public struct CapturedMessage: Sendable, Hashable {
  public struct Field: Sendable, Hashable {
    public let name: String
    public let value: String

    /// What stands in place of a secret value.
    public static let redacted = "\(redactedText)"

    static let redactedText: StaticString = "(redacted)"

    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  private var captured: CapturedFields
  /// The beginning of the body as it was on the wire, without its transfer coding and with its content coding.
  public var body: [UInt8]
  /// The body was longer than what may be kept.
  public var isTruncated: Bool

  /// In the order of the message; trailers of a response stand last. Values that are secret (contract, section 5) are redacted, also
  /// in what is given here: nothing that is kept holds them. Made anew at each call.
  public var fields: [Field] {
    get { captured.fields }
    set { captured = CapturedFields(newValue) }
  }

  /// What the fields cost in memory, more or less.
  var fieldByteCount: Int { captured.byteCount }

  /// The same without its body.
  var withoutBody: CapturedMessage {
    CapturedMessage(captured, isTruncated: isTruncated || !body.isEmpty)
  }

  public init(fields: [Field], body: [UInt8] = [], isTruncated: Bool = false) {
    self.init(CapturedFields(fields), body: body, isTruncated: isTruncated)
  }

  public init(_ fields: CapturedFields, body: [UInt8] = [], isTruncated: Bool = false) {
    captured = fields
    self.body = body
    self.isTruncated = isTruncated
  }
}
