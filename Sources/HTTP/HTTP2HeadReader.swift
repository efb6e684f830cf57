/// Gathers the fields of one header block as the library decodes them, and makes a head or trailers of them.
///
/// The library has checked names, values and pseudo-fields against RFC 9113, section 8.3; what is checked here again is what
/// HTTP/1.1 recipients rely on.
struct HTTP2HeadReader {
  /// Where the values of the pseudo-fields are.
  private struct Pseudo {
    var method: Range<Int>?
    var scheme: Range<Int>?
    var authority: Range<Int>?
    var path: Range<Int>?
    var connectProtocol: Range<Int>?
    var status: Range<Int>?
    var isEmpty = true
  }

  private let byteLimit: Int
  private let fieldLimit: Int
  private var fields = HeaderList()
  private var pseudo = Pseudo()
  private var hasFields = false
  /// The joined values of all cookie fields (RFC 9113, section 8.2.3).
  private var cookie: [UInt8] = []
  private var hasCookie = false
  private(set) var byteCount = 0
  private(set) var fault: HTTPFault?

  init(_ settings: HTTP2Settings) {
    byteLimit = settings.headByteCount
    fieldLimit = settings.fieldCount
  }

  /// Forgets what was gathered.
  mutating func reset() {
    fields = HeaderList()
    pseudo = Pseudo()
    hasFields = false
    cookie.removeAll(keepingCapacity: true)
    hasCookie = false
    byteCount = 0
    fault = nil
  }

  mutating func add(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    byteCount += name.count + value.count + 32
    guard fault == nil else { return }
    guard byteCount <= byteLimit else { return refuse(.tooLarge("The head is longer than \(byteLimit) bytes.")) }
    if fields.storage.isEmpty {
      fields.storage.reserveCapacity(512)
      fields.entries.reserveCapacity(16)
    }
    if name.first == UInt8(ascii: ":") { addPseudo(name, value) } else { addField(name, value) }
  }

  /// A fault ends the block: it holds no memory any more.
  mutating func refuse(_ fault: HTTPFault) {
    guard self.fault == nil else { return }
    let count = byteCount
    reset()
    byteCount = count
    self.fault = fault
  }

  private mutating func addPseudo(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    guard !hasFields else { return refuse(.malformed("A pseudo-field stands behind other fields.")) }
    pseudo.isEmpty = false
    let name = name.bytes
    let whole = 0..<name.byteCount
    if name.equals(whole, ":path") {
      place(value, \.path)
    } else if name.equals(whole, ":method") {
      place(value, \.method)
    } else if name.equals(whole, ":scheme") {
      place(value, \.scheme)
    } else if name.equals(whole, ":status") {
      place(value, \.status)
    } else if name.equals(whole, ":authority") {
      placeAuthority(value)
    } else if name.equals(whole, ":protocol") {
      place(value, \.connectProtocol)
    } else {
      refuse(.malformed("A pseudo-field is unknown."))
    }
  }

  @inline(__always)
  private mutating func place(_ value: UnsafeRawBufferPointer, _ field: WritableKeyPath<Pseudo, Range<Int>?>) {
    guard pseudo[keyPath: field] == nil else { return refuse(.malformed("A pseudo-field is repeated.")) }
    let start = fields.storage.count
    fields.storage.append(contentsOf: value)
    pseudo[keyPath: field] = start..<fields.storage.count
  }

  /// `:authority` becomes the first field, as HTTP/1.1 has it.
  private mutating func placeAuthority(_ value: UnsafeRawBufferPointer) {
    guard pseudo.authority == nil, fields.append(lowercase: "host", value), let entry = fields.entries.last else {
      return refuse(.malformed("The pseudo-field :authority is repeated, or holds a control byte."))
    }
    pseudo.authority = entry.value
  }

  private mutating func addField(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    hasFields = true
    let bytes = name.bytes
    guard !name.isEmpty, bytes.endOfToken(0..<name.count) == name.count else {
      return refuse(.malformed("A field name is no token."))
    }
    guard fields.count < fieldLimit else { return refuse(.tooLarge("The head has more than \(fieldLimit) fields.")) }
    switch FieldName.recognise(bytes, 0..<name.count) {
    case .connection, .keepAlive, .proxyConnection, .transferEncoding, .upgrade:
      refuse(.malformed("A field belongs to HTTP/1.1 connections only (RFC 9113, section 8.2.2)."))
    case .te where !value.elementsEqual("trailers".utf8):
      refuse(.malformed("The field te holds something else than trailers."))
    case .cookie: addCookie(value)
    case .host: addHost(name, value)
    default: append(name, value)
    }
  }

  private mutating func append(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    guard !fields.append(name: name, value: value) else { return }
    refuse(.malformed("The value of a field holds a control byte."))
  }

  private mutating func addCookie(_ value: UnsafeRawBufferPointer) {
    guard value.bytes.isText(0..<value.count) else {
      return refuse(.malformed("The value of a field holds a control byte."))
    }
    if hasCookie { cookie.append(contentsOf: "; ".utf8) }
    hasCookie = true
    cookie.append(contentsOf: value)
  }

  /// A host beside `:authority` must say the same (RFC 9113, section 8.3.1), and then says nothing.
  private mutating func addHost(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    guard fields.contains(.host) else { return append(name, value) }
    guard let host = fields.firstBytes(.host), host.count == value.count,
      zip(host, value).allSatisfy({ ByteClass.lowercased($0) == ByteClass.lowercased($1) })
    else { return refuse(.malformed("The field host and the pseudo-field :authority differ.")) }
  }

  private mutating func finishFields() throws(HTTPFault) -> HeaderList {
    if let fault { throw fault }
    if hasCookie {
      let added = cookie.withUnsafeBytes { fields.append(lowercase: "cookie", $0) }
      if !added { throw .malformed("The value of a field holds a control byte.") }
    }
    return fields
  }

  private func text(_ place: Range<Int>?) -> String? {
    place.map { String(decoding: fields.storage[$0], as: UTF8.self) }
  }

  // MARK: requests

  mutating func request(isComplete: Bool) throws(HTTPFault) -> HTTP2Request {
    let fields = try finishFields()
    let bytes = fields.storage.span.bytes
    guard let methodPlace = pseudo.method, !methodPlace.isEmpty,
      bytes.endOfToken(methodPlace) == methodPlace.upperBound
    else { throw .malformed("The request has no method.") }
    guard methodPlace.count <= 64 else { throw .malformed("The method is longer than any known one.") }
    let method = HTTPMethod(bytes, methodPlace)
    guard fields.entries.count(where: { $0.token == .host }) == 1,
      let host = fields.entries.first(where: { $0.token == .host })?.value, AuthoritySyntax.isHostAndPort(bytes, host)
    else { throw .malformed("The request does not name a host with an optional port.") }
    let target = try self.target(method, host, bytes)
    return HTTP2Request(
      head: RequestHead(method: method, target: fields.storage[target], fields: fields),
      framing: try framing(fields, method, isComplete: isComplete), scheme: text(pseudo.scheme) ?? "",
      authority: String(decoding: fields.storage[host], as: UTF8.self), connectProtocol: text(pseudo.connectProtocol),
      isComplete: isComplete)
  }

  private func target(_ method: HTTPMethod, _ host: Range<Int>, _ bytes: RawSpan) throws(HTTPFault) -> Range<Int> {
    let connectProtocol = pseudo.connectProtocol
    if method == .connect, connectProtocol == nil {
      guard pseudo.path == nil, pseudo.scheme == nil, pseudo.authority != nil else {
        throw .malformed("A CONNECT request names an authority and neither a scheme nor a path.")
      }
      return host
    }
    if let connectProtocol {
      guard method == .connect, !connectProtocol.isEmpty,
        bytes.endOfToken(connectProtocol) == connectProtocol.upperBound
      else { throw .malformed("The pseudo-field :protocol is no token, or not of a CONNECT request.") }
    }
    guard let scheme = pseudo.scheme, !scheme.isEmpty, bytes.endOfToken(scheme) == scheme.upperBound,
      let path = pseudo.path, !path.isEmpty
    else { throw .malformed("The request has no scheme or no path.") }
    let isAsterisk = method == .options && bytes.equals(path, "*")
    guard isAsterisk || bytes.byte(path.lowerBound) == UInt8(ascii: "/"),
      path.allSatisfy({ ByteClass.isVisible(bytes.byte($0)) && bytes.byte($0) != UInt8(ascii: "#") })
    else { throw .malformed("The path of the request does not begin with a slash, or holds a byte that no path has.") }
    return path
  }

  private func framing(_ fields: HeaderList, _ method: HTTPMethod, isComplete: Bool) throws(HTTPFault) -> BodyFraming {
    let length = try Self.contentLength(fields)
    if method == .connect {
      guard length == nil else { throw .malformed("A CONNECT request has no body.") }
      return .none
    }
    guard let length else { return isComplete ? .none : .chunked }
    guard !isComplete || length == 0 else { throw .malformed("The body is shorter than its content-length.") }
    return .length(length)
  }

  private static func contentLength(_ fields: HeaderList) throws(HTTPFault) -> UInt64? {
    guard fields.contains(.contentLength) else { return nil }
    let places = fields.entries.filter { $0.token == .contentLength }
    guard places.count == 1, let place = places.first?.value else {
      throw .malformed("There are several content-length fields.")
    }
    return try RequestFraming.contentLength(fields.storage.span.bytes, place)
  }

  // MARK: responses

  /// The head of a response to `method`, interim or final.
  mutating func response(to method: HTTPMethod, isComplete: Bool) throws(HTTPFault) -> HTTP2Response {
    do throws(HTTPFault) {
      let fields = try finishFields()
      let status = try self.status()
      let head = ResponseHead(status: status, fields: fields)
      let length = try Self.contentLength(fields)
      return HTTP2Response(
        head: head, framing: Self.framing(status, method, length, isComplete: isComplete), isComplete: isComplete)
    } catch { throw error.inResponse }
  }

  private func status() throws(HTTPFault) -> Int {
    guard let digits = pseudo.status, digits.count == 3, fields.storage[digits].allSatisfy(ByteClass.isDigit) else {
      throw .malformed("The status of the response is no number of three digits.")
    }
    let status = fields.storage[digits].reduce(0) { $0 * 10 + Int($1 & 0x0F) }
    guard status >= 100, status != 101 else {
      throw .malformed("The status \(status) does not exist in HTTP/2.")
    }
    return status
  }

  private static func framing(
    _ status: Int, _ method: HTTPMethod, _ length: UInt64?, isComplete: Bool
  ) -> BodyFraming {
    if method == .head || status < 200 || status == 204 || status == 304 { return .none }
    if method == .connect, status < 300 { return isComplete ? .none : .untilClose }
    if isComplete { return .length(0) }
    return length.map { .length($0) } ?? .chunked
  }

  // MARK: trailers

  mutating func trailers() throws(HTTPFault) -> HeaderList {
    let fields = try finishFields()
    guard pseudo.isEmpty else { throw .malformed("There is a pseudo-field among the trailers.") }
    return fields
  }
}

extension HeaderList {
  /// Adds a field of that name; false if the value holds a control byte. Blanks around it are dropped.
  fileprivate mutating func append(lowercase name: StaticString, _ value: UnsafeRawBufferPointer) -> Bool {
    append(name: UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount), value: value)
  }
}
