import COpenSSL

/// Unpredictable bytes.
public enum RandomBytes {
  public static func make(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    if let size = Int32(exactly: count), RAND_bytes(&bytes, size) == 1 { return bytes }
    OpenSSLError.clear()
    // The kernel's generator, which OpenSSL is seeded from.
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }
}
