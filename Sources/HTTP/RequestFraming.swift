/// The rules that make a request's length and destination unambiguous (RFC 9112 3.2, 6.1 to 6.3).
enum RequestFraming {
  /// How the body of the request is framed; a fault if two readers could disagree about it, or about the host.
  static func framing(
    _ bytes: RawSpan, _ section: FieldSection, method: HTTPMethod, version: HTTPVersion
  ) throws(HTTPFault) -> BodyFraming {
    try checkHost(bytes, section, version: version)
    let framing = try declaredFraming(bytes, section, version: version)
    guard method == .connect else { return framing }
    guard framing == .none || framing == .length(0) else { throw .malformed("A CONNECT request has no body.") }
    return .none
  }

  private static func declaredFraming(
    _ bytes: RawSpan, _ section: FieldSection, version: HTTPVersion
  ) throws(HTTPFault) -> BodyFraming {
    if let coding = section.value(.transferEncoding) {
      guard section.value(.contentLength) == nil else {
        throw .malformed("The request has both a Content-Length and a Transfer-Encoding.")
      }
      guard version == .http11 else { throw .malformed("An HTTP/1.0 request cannot have a Transfer-Encoding.") }
      guard section.repeated & FieldName.transferEncoding.bit == 0 else {
        throw .malformed("The request has several Transfer-Encoding fields.")
      }
      try checkCoding(bytes, coding)
      return .chunked
    }
    guard let length = section.value(.contentLength) else { return .none }
    guard section.repeated & FieldName.contentLength.bit == 0 else {
      throw .malformed("The request has several Content-Length fields.")
    }
    return .length(try contentLength(bytes, length))
  }

  /// `chunked` and nothing else. Another coding in front of it would be lawful, but nothing here could undo it.
  static func checkCoding(_ bytes: RawSpan, _ value: Range<Int>) throws(HTTPFault) {
    guard !bytes.equals(value, lowercased: "chunked") else { return }
    let comma = value.last { bytes.byte($0) == UInt8(ascii: ",") }
    let last = bytes.trimmed((comma.map { $0 + 1 } ?? value.lowerBound)..<value.upperBound)
    guard comma != nil, bytes.equals(last, lowercased: "chunked") else {
      throw .malformed("The last Transfer-Encoding is not chunked.")
    }
    throw HTTPFault(
      kind: .unsupported, status: 501, reason: "Of the transfer codings only chunked is understood.")
  }

  /// Digits only, and a number that fits into 64 bits.
  static func contentLength(_ bytes: RawSpan, _ value: Range<Int>) throws(HTTPFault) -> UInt64 {
    guard !value.isEmpty else { throw .malformed("The Content-Length is empty.") }
    var length: UInt64 = 0
    for index in value {
      let byte = bytes.byte(index)
      guard ByteClass.isDigit(byte) else { throw .malformed("The Content-Length is no number.") }
      let (tens, overflows) = length.multipliedReportingOverflow(by: 10)
      let (sum, carries) = tens.addingReportingOverflow(UInt64(byte & 0x0F))
      guard !overflows, !carries else { throw .malformed("The Content-Length is too large a number.") }
      length = sum
    }
    return length
  }

  private static func checkHost(
    _ bytes: RawSpan, _ section: FieldSection, version: HTTPVersion
  ) throws(HTTPFault) {
    guard let host = section.value(.host) else {
      guard version == .http10 else { throw .malformed("The request has no Host field.") }
      return
    }
    guard section.repeated & FieldName.host.bit == 0 else { throw .malformed("The request has several Host fields.") }
    guard AuthoritySyntax.isHostAndPort(bytes, host) else {
      throw .malformed("The Host field holds no host name with an optional port.")
    }
  }
}

extension RawSpan {
  func equals(_ range: Range<Int>, lowercased text: StaticString) -> Bool {
    equals(range, lowercased: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
