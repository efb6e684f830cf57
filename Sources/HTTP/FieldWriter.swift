/// Writes the fields of a message that is passed on, without those that end at this hop (RFC 9110 7.6.1).
///
/// All others keep their bytes, spelling, order and number. Fields that the new connection needs stand where the old ones stood,
/// else at the end.
struct FieldWriter {
  /// What becomes of the fields that ask for or grant a switch of protocols.
  var upgrade: UpgradeFields = .removed
  var framing: BodyFraming = .none
  /// A Content-Length that says nothing about this message's own body: of a response to HEAD, or a 304.
  var keepsLength = false
  /// The value of Host; nil leaves the field as it is.
  var host: String?
  var via: String?
  /// The credentials for another proxy that the message goes to.
  var proxyAuthorization: String?
  var dropping = FieldNameSet()
  var closes = false
  /// Whether a TE field means something: in requests.
  var passesTE = false

  /// No head takes more bytes than this: the block of the fields, a colon, a space and a line end for each, and what is added.
  func byteCount(atMost fields: HeaderList) -> Int {
    fields.storage.count + 4 * fields.count + (host?.utf8.count ?? 0) + (via?.utf8.count ?? 0)
      + (proxyAuthorization?.utf8.count ?? 0) + 256
  }

  func write(_ fields: HeaderList, into block: inout HeadBlock) {
    if let host, !fields.contains(.host) { Self.write("Host", host, into: &block) }
    let promisesTrailers = passesTE && fields.containsMember(.te, "trailers")
    var writing = Writing(
      nominated: Self.nominated(fields), promisesTrailers: promisesTrailers,
      options: options(fields, promisesTrailers: promisesTrailers))
    fields.forEach { token, name, value in
      switch token {
      case .connection: writeConnection(name, &writing, &block)
      case .transferEncoding, .contentLength: writeFraming(token, name, value, &writing, &block)
      case .te: writeTE(name, &writing, &block)
      case .host: writeHost(name, value, &writing, &block)
      case .upgrade:
        if upgrade == .kept { Self.write(name, value, into: &block) }
      case .keepAlive, .proxyConnection, .proxyAuthorization, .proxyAuthenticate, .proxyAuthenticationInfo,
        .http2Settings:
        break
      default:
        if dropping.contains(token, name) || writing.nominated?.contains(token, name) == true { break }
        Self.write(name, value, into: &block)
      }
    }
    writeMissing(writing, &block)
  }

  /// What remains to be written while the fields are walked over.
  private struct Writing {
    /// The names that Connection marks as ending here; nil: none.
    let nominated: FieldNameSet?
    let promisesTrailers: Bool
    /// The members of our own Connection field; empty once it is written.
    var options: [StaticString]
    var needsHost = true
    var needsTE = true
    var needsFraming = true
  }

  /// The members that our own Connection field needs; mostly none.
  private func options(_ fields: HeaderList, promisesTrailers: Bool) -> [StaticString] {
    var options: [StaticString] = []
    if closes { options.append("close") }
    if upgrade == .kept, fields.contains(.upgrade) { options.append("Upgrade") }
    if promisesTrailers { options.append("TE") }
    return options
  }

  private func writeConnection(_ name: UnsafeRawBufferPointer, _ writing: inout Writing, _ block: inout HeadBlock) {
    guard !writing.options.isEmpty else { return }
    block.append(name)
    block.append(": ")
    for (index, option) in writing.options.enumerated() {
      if index > 0 { block.append(", ") }
      block.append(option)
    }
    block.append("\r\n")
    writing.options = []
  }

  /// Of TE only `trailers` is passed on: a proxy can promise that much for whom it speaks.
  private func writeTE(_ name: UnsafeRawBufferPointer, _ writing: inout Writing, _ block: inout HeadBlock) {
    guard writing.needsTE else { return }
    writing.needsTE = false
    guard writing.promisesTrailers else { return }
    block.append(name)
    block.append(": trailers\r\n")
  }

  private func writeHost(
    _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ writing: inout Writing, _ block: inout HeadBlock
  ) {
    guard writing.needsHost else { return }
    writing.needsHost = host == nil
    guard let host else { return Self.write(name, value, into: &block) }
    block.append(name)
    block.append(": ")
    block.append(host)
    block.append("\r\n")
  }

  private func writeFraming(
    _ token: FieldName, _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ writing: inout Writing,
    _ block: inout HeadBlock
  ) {
    switch framing {
    case .length(let count) where token == .contentLength && writing.needsFraming:
      block.append(name)
      block.append(": ")
      block.append(String(count))
      block.append("\r\n")
      writing.needsFraming = false
    case .chunked where token == .transferEncoding && writing.needsFraming:
      block.append(name)
      block.append(": chunked\r\n")
      writing.needsFraming = false
    case .none where token == .contentLength && keepsLength: Self.write(name, value, into: &block)
    case .none, .length, .chunked, .untilClose: break
    }
  }

  private func writeMissing(_ writing: Writing, _ block: inout HeadBlock) {
    var writing = writing
    switch framing {
    case .length(let count) where writing.needsFraming: Self.write("Content-Length", String(count), into: &block)
    case .chunked where writing.needsFraming: block.append("Transfer-Encoding: chunked\r\n")
    case .none, .length, .chunked, .untilClose: break
    }
    FieldName.connection.spelling.withUTF8Buffer { writeConnection(UnsafeRawBufferPointer($0), &writing, &block) }
    if let via { Self.write("Via", via, into: &block) }
    if let proxyAuthorization { Self.write("Proxy-Authorization", proxyAuthorization, into: &block) }
    block.append("\r\n")
  }

  /// The names that Connection marks as ending here, less those that it cannot mark: what frames or routes a message, or is
  /// meant for every recipient, stays, or a client could take fields away from a request behind the proxy's judgement.
  static func nominated(_ fields: HeaderList) -> FieldNameSet? {
    guard fields.contains(.connection) else { return nil }
    var names: FieldNameSet?
    fields.forEachMember(.connection) { bytes, member in
      guard !isPlainOption(bytes, member) else { return }
      let token = FieldName.recognise(bytes, member)
      guard protected & token.bit == 0 else { return }
      names = names ?? FieldNameSet()
      names?.insert(bytes.extracting(member).withUnsafeBytes { Array($0) })
    }
    return names
  }

  private static func isPlainOption(_ bytes: RawSpan, _ member: Range<Int>) -> Bool {
    bytes.equals(member, lowercased: "keep-alive") || bytes.equals(member, lowercased: "close")
      || bytes.equals(member, lowercased: "upgrade") || member.isEmpty
  }

  private static let protected: UInt64 =
    [.cacheControl, .contentEncoding, .contentRange, .contentType, .expect, .trailer, .via].reduce(0) {
      (set, name: FieldName) in
      set | name.bit
    }

  static func write(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, into block: inout HeadBlock) {
    block.append(name)
    block.append(": ")
    block.append(value)
    block.append("\r\n")
  }

  private static func write(_ name: StaticString, _ value: String, into block: inout HeadBlock) {
    block.append(name)
    block.append(": ")
    block.append(value)
    block.append("\r\n")
  }
}
