/// What a request target means (RFC 9112 3.2). The pieces are as sent; `Names` judges hosts and ports.
public enum RequestTarget: Sendable, Equatable {
  /// Path and query, from the slash on.
  case origin(ArraySlice<UInt8>)
  case absolute(AbsoluteTarget)
  /// The `host:port` of a CONNECT.
  case authority(String)
  /// The server as a whole; only of OPTIONS.
  case asterisk
}

/// A target in absolute form, as proxies get it.
public struct AbsoluteTarget: Sendable, Equatable {
  /// In lower case.
  public let scheme: String
  /// Host and optional port, as sent.
  public let authority: String
  /// What the origin is to be sent: path and query as they came, `/` (for OPTIONS `*`) if there is no path.
  public let pathAndQuery: ArraySlice<UInt8>
}

extension RequestHead {
  /// What the target means. A fault (400) if its form does not fit the method, or it holds a fragment or user information.
  public func requestTarget() throws(HTTPFault) -> RequestTarget {
    guard !target.contains(UInt8(ascii: "#")) else { throw .malformed("The request target has a fragment.") }
    if method == .connect { return .authority(try Self.authority(target)) }
    if target.elementsEqual("*".utf8) {
      guard method == .options else { throw .malformed("Only OPTIONS may have the target *.") }
      return .asterisk
    }
    if target.first == UInt8(ascii: "/") { return .origin(target) }
    return .absolute(try absoluteTarget())
  }

  private func absoluteTarget() throws(HTTPFault) -> AbsoluteTarget {
    let (scheme, rest) = try Self.scheme(target)
    let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
    let authority = try Self.authority(rest[..<end])
    return AbsoluteTarget(scheme: scheme, authority: authority, pathAndQuery: pathAndQuery(rest[end...]))
  }

  /// RFC 9112 3.2.1 and 3.2.4: an empty path is sent as `/`, or as `*` if OPTIONS has no query either.
  private func pathAndQuery(_ rest: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let first = rest.first else { return [UInt8(ascii: method == .options ? "*" : "/")] }
    return first == UInt8(ascii: "?") ? [UInt8(ascii: "/")] + rest : rest
  }

  /// The scheme in lower case and what follows its `://`.
  private static func scheme(_ target: ArraySlice<UInt8>) throws(HTTPFault) -> (String, ArraySlice<UInt8>) {
    guard let colon = target.firstIndex(of: UInt8(ascii: ":")), let first = target.first, ByteClass.isLetter(first),
      target[..<colon].allSatisfy(isSchemeByte), target[colon...].starts(with: "://".utf8)
    else { throw .malformed("The request target is neither a path nor an absolute URL.") }
    let scheme = target[..<colon].map(ByteClass.lowercased)
    return (String(decoding: scheme, as: UTF8.self), target[(colon + 3)...])
  }

  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    ByteClass.isLetter(byte) || ByteClass.isDigit(byte) || "+-.".utf8.contains(byte)
  }

  private static func authority(_ text: ArraySlice<UInt8>) throws(HTTPFault) -> String {
    guard !text.contains(UInt8(ascii: "@")) else { throw .malformed("The request target holds user information.") }
    let isValid = text.withUnsafeBytes { AuthoritySyntax.isHostAndPort($0.bytes, 0..<$0.count) }
    guard isValid else { throw .malformed("The request target holds no host name with an optional port.") }
    return String(decoding: text, as: UTF8.self)
  }
}
