import CQREncode

/// A text as a QR code (ISO/IEC 18004), by libqrencode. A value.
public struct QRCode: Sendable, Equatable {
  /// Modules on each side.
  public let size: Int
  /// Row by row; true: dark.
  public let modules: [Bool]

  /// Longer texts are for no camera.
  private static let textLimit = 1_024

  /// nil: the text is empty, too long, or holds a NUL.
  public init?(_ text: String) {
    guard !text.isEmpty, text.utf8.count <= Self.textLimit, !text.utf8.contains(0) else { return nil }
    // The smallest version that fits; a level of correction that bears a reflection on the screen.
    guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
    defer { QRcode_free(code) }
    let width = Int(code.pointee.width)
    guard width > 0, let data = code.pointee.data else { return nil }
    size = width
    // The lowest bit of each byte is the colour; the others say what the module is for.
    modules = UnsafeBufferPointer(start: data, count: width * width).map { $0 & 1 == 1 }
  }

  /// Whether the module is dark; outside of the code all are light.
  public func isDark(_ row: Int, _ column: Int) -> Bool {
    guard (0..<size).contains(row), (0..<size).contains(column) else { return false }
    return modules[row * size + column]
  }
}
