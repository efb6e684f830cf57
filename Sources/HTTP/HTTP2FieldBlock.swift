import CNGHTTP2

/// Fields on their way to the library: their bytes in one block, and where each is.
struct HTTP2FieldBlock {
  private struct Place {
    var nameStart: Int
    var valueStart: Int
    var end: Int
    var flags: UInt8
  }

  private var bytes: [UInt8] = []
  private var places: [Place] = []

  var isEmpty: Bool { places.isEmpty }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
  }

  mutating func append(_ name: StaticString, _ value: some Sequence<UInt8>) {
    let start = bytes.count
    bytes.append(contentsOf: UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    let valueStart = bytes.count
    bytes.append(contentsOf: value)
    places.append(Place(nameStart: start, valueStart: valueStart, end: bytes.count, flags: 0))
  }

  mutating func append(_ name: StaticString, _ value: String) {
    append(name, value.utf8)
  }

  mutating func append(_ token: FieldName, _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    let start = bytes.count
    // Names are lower case in HTTP/2 (RFC 9113, section 8.2).
    for byte in name { bytes.append(ByteClass.lowercased(byte)) }
    let valueStart = bytes.count
    bytes.append(contentsOf: value)
    // What is secret and short could be guessed by what it does to the size of a compressed head (RFC 7541, section 7.1).
    let isGuessable = token == .authorization || token == .cookie && value.count < 20
    places.append(
      Place(
        nameStart: start, valueStart: valueStart, end: bytes.count,
        flags: isGuessable ? UInt8(truncatingIfNeeded: NGHTTP2_NV_FLAG_NO_INDEX.rawValue) : 0))
  }

  /// Calls `body` with each field but the pseudo-fields. The pointers are valid during the call.
  func forEach(_ body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void) {
    bytes.withUnsafeBytes { bytes in
      for place in places where bytes[place.nameStart] != UInt8(ascii: ":") {
        body(
          UnsafeRawBufferPointer(rebasing: bytes[place.nameStart..<place.valueStart]),
          UnsafeRawBufferPointer(rebasing: bytes[place.valueStart..<place.end]))
      }
    }
  }

  /// Calls `body` with the fields in the library's form, valid during the call. The library copies them.
  mutating func withVectors<Result>(_ body: (UnsafePointer<nghttp2_nv>?, Int) -> Result) -> Result {
    let places = places
    return bytes.withUnsafeMutableBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return body(nil, 0) }
      return withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: places.count) { vectors in
        for (index, place) in places.enumerated() {
          vectors.initializeElement(
            at: index,
            to: nghttp2_nv(
              name: base + place.nameStart, value: base + place.valueStart, namelen: place.valueStart - place.nameStart,
              valuelen: place.end - place.valueStart, flags: place.flags))
        }
        return body(UnsafePointer(vectors.baseAddress), places.count)
      }
    }
  }
}
