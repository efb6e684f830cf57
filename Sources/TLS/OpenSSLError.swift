import COpenSSL

/// What OpenSSL left in the error queue of this thread, as a value.
public struct OpenSSLError: Error, Equatable, Sendable, CustomStringConvertible {
  /// One entry of the queue.
  public struct Entry: Equatable, Sendable {
    /// The packed code, as `ERR_get_error` gives it.
    public let code: UInt
    /// The part of OpenSSL, one of `ERR_LIB_…`.
    public let library: Int32
    /// The reason, whose meaning depends on `library`.
    public let reason: Int32
    /// OpenSSL's words for the reason, with what it said besides.
    public let text: String
  }

  /// Oldest first: the first entry is usually the cause. Empty when OpenSSL failed without a word.
  public let entries: [Entry]

  public var description: String {
    entries.isEmpty ? "OpenSSL gave no reason" : entries.map(\.text).joined(separator: "; ")
  }

  /// Empties the queue of this thread.
  static func clear() {
    ERR_clear_error()
  }

  /// Takes everything from the queue of this thread.
  static func take() -> OpenSSLError {
    var entries: [Entry] = []
    while true {
      var data: UnsafePointer<CChar>?
      var flags: Int32 = 0
      let code = ERR_get_error_all(nil, nil, nil, &data, &flags)
      guard code != 0 else { return OpenSSLError(entries: entries) }
      var text = ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
      if let data, flags & ERR_TXT_STRING != 0, data.pointee != 0 { text += " (\(String(cString: data)))" }
      entries.append(
        Entry(code: UInt(code), library: ERR_GET_LIB(code), reason: ERR_GET_REASON(code), text: text))
    }
  }

  /// Whether an algorithm was missing, rather than the data or the passphrase wrong.
  ///
  /// The decoders say "unsupported" of anything that they cannot read, so only the algorithms' own words count.
  var saysUnsupported: Bool {
    entries.contains { entry in
      switch entry.library {
      case ERR_LIB_EVP:
        [
          copenssl_reason_unsupported(), EVP_R_UNSUPPORTED_ALGORITHM, EVP_R_UNKNOWN_PBE_ALGORITHM, EVP_R_UNKNOWN_CIPHER,
          EVP_R_UNSUPPORTED_CIPHER, EVP_R_UNSUPPORTED_PRF, EVP_R_UNSUPPORTED_KEY_DERIVATION_FUNCTION,
        ].contains(entry.reason)
      case ERR_LIB_PEM: [PEM_R_UNSUPPORTED_ENCRYPTION, PEM_R_UNSUPPORTED_CIPHER].contains(entry.reason)
      case ERR_LIB_PKCS12: entry.reason == PKCS12_R_UNKNOWN_DIGEST_ALGORITHM
      default: false
      }
    }
  }
}
