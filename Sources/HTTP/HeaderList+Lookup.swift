extension HeaderList {
  /// Whether a field of that name is there; one bit test. Always false for `other`.
  @inline(__always)
  public func contains(_ token: FieldName) -> Bool {
    token != .other && present & token.bit != 0
  }

  /// The bytes of all names and values together, or a few more.
  public var byteCount: Int { storage.count }

  /// Calls `body` with each field that may stand in a trailer section (RFC 9110, section 6.5.1): what encoders write of one.
  public func forEachTrailer(_ body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void) {
    forEach { token, name, value in
      if !HTTP1Encoder.isHeadOnly(token) { body(name, value) }
    }
  }

  /// The first value of that name; what is not UTF-8 in it is replaced.
  public func first(_ token: FieldName) -> String? {
    firstBytes(token).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The first value of that name as it is on the wire.
  public func firstBytes(_ token: FieldName) -> ArraySlice<UInt8>? {
    guard contains(token), let entry = entries.first(where: { $0.token == token }) else { return nil }
    return storage[entry.value]
  }

  /// All values of that name in order.
  public func values(_ token: FieldName) -> [String] {
    guard contains(token) else { return [] }
    return entries.filter { $0.token == token }.map { String(decoding: storage[$0.value], as: UTF8.self) }
  }

  /// The first value of the field with that name, in any case.
  public func first(named name: String) -> String? {
    indices(named: name).first.map { String(decoding: storage[entries[$0].value], as: UTF8.self) }
  }

  /// All values of the fields with that name, in any case.
  public func values(named name: String) -> [String] {
    indices(named: name).map { String(decoding: storage[entries[$0].value], as: UTF8.self) }
  }

  /// Whether one of the comma-separated members of that name's values is `member`, in any case.
  public func containsMember(_ token: FieldName, _ member: StaticString) -> Bool {
    guard contains(token) else { return false }
    let wanted = UnsafeRawBufferPointer(start: member.utf8Start, count: member.utf8CodeUnitCount)
    var isFound = false
    forEachMember(token) { bytes, place in isFound = isFound || bytes.equals(place, lowercased: wanted) }
    return isFound
  }

  /// Calls `body` with the place of each comma-separated member in the list's bytes, blanks trimmed, empty ones included.
  func forEachMember(_ token: FieldName, _ body: (RawSpan, Range<Int>) -> Void) {
    guard contains(token) else { return }
    let bytes = storage.span.bytes
    for entry in entries where entry.token == token {
      var start = entry.value.lowerBound
      for index in entry.value where bytes.byte(index) == UInt8(ascii: ",") {
        body(bytes, bytes.trimmed(start..<index))
        start = index + 1
      }
      body(bytes, bytes.trimmed(start..<entry.value.upperBound))
    }
  }

  func indices(named name: String) -> [Int] {
    let wanted = name.utf8.map(ByteClass.lowercased)
    let token = FieldName.recognise(wanted)
    guard token == .other || contains(token) else { return [] }
    let bytes = storage.span.bytes
    return entries.indices.filter { index in
      entries[index].token == token
        && (token != .other || wanted.withUnsafeBytes { bytes.equals(entries[index].name, lowercased: $0) })
    }
  }
}
