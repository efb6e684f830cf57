import COpenSSL

extension KeyFacts {
  /// Reads them from an `EVP_PKEY`; nil is a key that OpenSSL does not know.
  init(_ key: OpaquePointer?) {
    guard let key else {
      self.init(kind: .other("unknown"), bits: 0)
      return
    }
    let kind: Kind =
      switch EVP_PKEY_get_base_id(key) {
      case EVP_PKEY_RSA, EVP_PKEY_RSA_PSS: .rsa
      case EVP_PKEY_EC: .ec
      case EVP_PKEY_ED25519: .ed25519
      default: .other(EVP_PKEY_get0_type_name(key).map { String(cString: $0) } ?? "unknown")
      }
    self.init(kind: kind, bits: Int(EVP_PKEY_get_bits(key)))
  }
}
