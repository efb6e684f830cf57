import HTTP

/// What the script says of a body: whose request it belongs to, and by what it is known again.
public struct EnvelopeMeta: Sendable, Equatable {
  /// A form whose entries come in place of a body, since only the proxy can write them in the page's charset.
  public struct Form: Sendable, Equatable {
    public var encoding: FormEncoding
    /// As `document.characterSet` names it.
    public var charset: String
  }

  /// The method of the request. Redirects may change a request's method, and then the body is not its body any more.
  public var method: HTTPMethod
  /// What the request's Content-Type is to be if it has none.
  public var contentType: String?
  public var byteCount: Int
  /// SHA-256 of the bytes; for forms of the list of entries.
  public var digest: [UInt8]
  /// What Accept is to be; nil: what remains of it.
  public var accept: String?
  public var form: Form?
  /// The body was too large to be carried; there are no bytes.
  public var isOverLimit = false

  /// - Parameter text: base64url of JSON: `v` 1, `m` the method, `l` the length, `d` the digest in hexadecimal digits, and, where they
  ///   apply, `t` the Content-Type, `a` the Accept, `f` and `c` form and charset, `o` true: over the limit.
  public init(_ text: some Collection<UInt8>) throws(EnvelopeFault) {
    guard text.count <= Self.textLimit, let bytes = Base64URL.decode(text), let members = FlatJSON.read(bytes) else {
      throw .malformed("what the body is does not come as JSON in base64url")
    }
    guard members["v"] == .number(1), case .text(let name) = members["m"], let method = HTTPMethod(name),
      case .number(let count) = members["l"]
    else { throw .malformed("the version, the method or the length of the body is missing") }
    self.method = method
    byteCount = count
    isOverLimit = members["o"] == .boolean(true)
    digest = []
    contentType = try Self.fieldValue(members["t"])
    accept = try Self.fieldValue(members["a"])
    // A longer one would need a preflight, which the page cannot have asked for (Fetch, "CORS-safelisted request-header").
    guard accept?.utf8.count ?? 0 <= 128 else { throw .malformed("the Accept of the request is too long") }
    if !isOverLimit { digest = try Self.digest(members["d"]) }
    form = try Self.form(members)
  }

  private static let textLimit = 16 << 10

  private static func digest(_ value: FlatJSON.Value?) throws(EnvelopeFault) -> [UInt8] {
    guard case .text(let digits) = value, digits.utf8.count == 64, let digest = Hexadecimal.decode(Array(digits.utf8))
    else { throw .malformed("the digest of the body is no SHA-256") }
    return digest
  }

  private static func fieldValue(_ value: FlatJSON.Value?) throws(EnvelopeFault) -> String? {
    guard let value else { return nil }
    guard case .text(let text) = value, text.utf8.allSatisfy({ $0 == 9 || ($0 >= 0x20 && $0 != 0x7F) }) else {
      throw .malformed("a field of the request holds a control byte")
    }
    return text
  }

  private static func form(_ members: [String: FlatJSON.Value]) throws(EnvelopeFault) -> Form? {
    guard let value = members["f"] else { return nil }
    guard case .text(let letter) = value, let encoding = FormEncoding(rawValue: letter),
      case .text(let charset) = members["c"]
    else { throw .malformed("the form has no known encoding, or no charset") }
    return Form(encoding: encoding, charset: charset)
  }
}
