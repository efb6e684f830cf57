import Codings

/// How the ASCII characters of a page stand in its bytes.
enum CodeUnits: Sendable {
  /// As themselves: in every encoding but UTF-16.
  case bytes
  case littleEndian
  case bigEndian

  init(_ charset: Charset) {
    switch charset {
    case .utf16LE: self = .littleEndian
    case .utf16BE: self = .bigEndian
    default: self = .bytes
    }
  }

  /// How many bytes a unit has.
  var width: Int { self == .bytes ? 1 : 2 }

  /// The whole units of `bytes` from number `first` on; what is not ASCII is one that has no meaning in markup.
  func read(_ bytes: UnsafeRawBufferPointer, from first: Int) -> [UInt8] {
    guard self != .bytes else { return Array(bytes.dropFirst(first)) }
    let place = self == .littleEndian ? 0 : 1
    return (min(first, bytes.count / 2)..<bytes.count / 2).map { unit in
      bytes[2 * unit + 1 - place] == 0 ? bytes[2 * unit + place] : 0xFF
    }
  }

  /// ASCII in these units.
  func write(_ ascii: [UInt8]) -> [UInt8] {
    switch self {
    case .bytes: ascii
    case .littleEndian: ascii.flatMap { [$0, 0] }
    case .bigEndian: ascii.flatMap { [0, $0] }
    }
  }

  // MARK: what the first bytes tell

  /// First bytes that tell how a page is encoded (HTML, sections 13.2.3.1 and 13.2.3.2).
  struct Signature: Sendable {
    let bytes: [UInt8]
    let units: CodeUnits
    /// A byte order mark, behind which the text begins; else an XML declaration, with which it begins.
    let isMark: Bool

    var markByteCount: Int { isMark ? bytes.count : 0 }
  }

  private static let signatures = [
    Signature(bytes: [0xEF, 0xBB, 0xBF], units: .bytes, isMark: true),
    Signature(bytes: [0xFE, 0xFF], units: .bigEndian, isMark: true),
    Signature(bytes: [0xFF, 0xFE], units: .littleEndian, isMark: true),
    Signature(bytes: [0x3C, 0, 0x3F, 0, 0x78, 0], units: .littleEndian, isMark: false),
    Signature(bytes: [0, 0x3C, 0, 0x3F, 0, 0x78], units: .bigEndian, isMark: false),
  ]

  static func sniff(_ bytes: UnsafeRawBufferPointer) -> Signature? {
    signatures.first { bytes.starts(with: $0.bytes) }
  }

  /// Whether more bytes may make a signature of these.
  static func mayBecomeSignature(_ bytes: UnsafeRawBufferPointer) -> Bool {
    signatures.contains { $0.bytes.count > bytes.count && $0.bytes.starts(with: bytes) }
  }
}
