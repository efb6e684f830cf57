/// The image formats that are known by their first bytes.
public enum PictureKind: String, CaseIterable, Sendable {
  case png, jpeg, gif, webp, heic, avif

  /// How many bytes of a body tell as much as all of them would.
  public static let signatureByteCount = 64

  /// The format of a body that begins like this; nil: none of them.
  ///
  /// Signatures: PNG (section 5.2), JPEG (SOI and the next marker), GIF87a and GIF89a, RIFF with the form WEBP, and the brands of an ISO
  /// base media file (ISO/IEC 14496-12, section 4.3; brands of HEIF and AVIF).
  public init?(signature bytes: some Collection<UInt8>) {
    let bytes = Array(bytes.prefix(Self.signatureByteCount))
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) {
      self = .gif
    } else if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
      self = .webp
    } else if let kind = Self.kind(ofBrandsIn: bytes) {
      self = kind
    } else {
      return nil
    }
  }

  /// The major brand, and then those that the file is compatible with.
  private static func kind(ofBrandsIn bytes: [UInt8]) -> PictureKind? {
    guard bytes.count >= 12, bytes.dropFirst(4).starts(with: "ftyp".utf8) else { return nil }
    let size = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    for start in stride(from: 8, to: min(bytes.count, size) - 3, by: 4) where start != 12 {
      switch String(decoding: bytes[start..<start + 4], as: UTF8.self) {
      case "avif", "avis": return .avif
      case "heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1": return .heic
      default: continue
      }
    }
    return nil
  }
}
