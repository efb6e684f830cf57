import COpenSSL

/// The BIO between OpenSSL and a session: reads what was lent to the session, writes into its outgoing queue.
internal enum LentBytes {
  internal static func makeBIO() -> OpaquePointer? {
    method.flatMap { BIO_new($0) }
  }

  /// Built once and never changed, hence safe to share.
  nonisolated(unsafe) private static let method: OpaquePointer? = {
    guard let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "lent bytes") else { return nil }
    BIO_meth_set_read(method) { bio, buffer, count in
      copenssl_bio_clear_retry(bio)
      let buffer = UnsafeMutableRawBufferPointer(start: buffer, count: max(0, Int(count)))
      guard let taken = session(of: bio)?.take(into: buffer), taken > 0 else {
        copenssl_bio_set_retry_read(bio)
        return -1
      }
      return Int32(truncatingIfNeeded: taken)
    }
    BIO_meth_set_write(method) { bio, buffer, count in
      copenssl_bio_clear_retry(bio)
      session(of: bio)?.put(UnsafeRawBufferPointer(start: buffer, count: max(0, Int(count))))
      return count
    }
    BIO_meth_set_ctrl(method) { _, command, _, _ in
      command == BIO_CTRL_FLUSH ? 1 : 0
    }
    return method
  }()

  private static func session(of bio: OpaquePointer?) -> TLSSession? {
    BIO_get_data(bio).map { Unmanaged<TLSSession>.fromOpaque($0).takeUnretainedValue() }
  }
}
