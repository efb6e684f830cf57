import COpenSSL

/// Bytes on their way into and out of OpenSSL.
enum LibraryBytes {
  /// The output of an `i2d_…` function, which allocates it; nil when it failed.
  static func encoded(
    by encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
  ) -> [UInt8]? {
    var memory: UnsafeMutablePointer<UInt8>?
    let count = encode(&memory)
    guard count >= 0, let memory else { return nil }
    defer { copenssl_free(memory) }
    return [UInt8](UnsafeBufferPointer(start: memory, count: Int(count)))
  }

  /// What `write` put into a memory BIO; nil when it said 0.
  static func written(by write: (OpaquePointer) -> Int32) -> [UInt8]? {
    guard let bio = BIO_new(BIO_s_mem()) else { return nil }
    defer { BIO_free(bio) }
    guard write(bio) > 0 else { return nil }
    var bytes: UnsafePointer<UInt8>?
    let count = copenssl_bio_contents(bio, &bytes)
    return [UInt8](UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : max(0, count)))
  }

  /// Lends `bytes` as a memory BIO that reads them without a copy; nil when memory is short or they are 2 GiB and more.
  static func reading<Result>(_ bytes: [UInt8], _ body: (OpaquePointer) -> Result) -> Result? {
    guard let count = Int32(exactly: bytes.count) else { return nil }
    return bytes.withUnsafeBytes { buffer in
      guard let bio = BIO_new_mem_buf(buffer.baseAddress, count) else { return nil }
      defer { BIO_free(bio) }
      return body(bio)
    }
  }
}
