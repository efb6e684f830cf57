import COpenSSL

extension PKCS12File {
  /// How people call what protects a part: `AES-256-CBC/PBKDF2`, `3DES`, `RC2-40`.
  static func protection(_ algorithm: UnsafePointer<X509_ALGOR>) -> String {
    switch copenssl_algorithm(algorithm) {
    case NID_pbes2:
      var cipher: Int32 = 0
      var derivation: Int32 = 0
      copenssl_pbes2(algorithm, &cipher, &derivation)
      OpenSSLError.clear()
      return "\(name(cipher))/\(derivation == NID_id_pbkdf2 ? "PBKDF2" : name(derivation))"
    case NID_pbe_WithSHA1And3_Key_TripleDES_CBC: return "3DES"
    case NID_pbe_WithSHA1And2_Key_TripleDES_CBC: return "3DES with two keys"
    case NID_pbe_WithSHA1And40BitRC2_CBC: return "RC2-40"
    case NID_pbe_WithSHA1And128BitRC2_CBC: return "RC2-128"
    case NID_pbe_WithSHA1And40BitRC4: return "RC4-40"
    case NID_pbe_WithSHA1And128BitRC4: return "RC4-128"
    default: return name(algorithm)
    }
  }

  /// How people call a hash: `SHA-256`.
  static func hashName(_ algorithm: UnsafePointer<X509_ALGOR>) -> String {
    switch copenssl_algorithm(algorithm) {
    case NID_md5: "MD5"
    case NID_sha1: "SHA-1"
    case NID_sha224: "SHA-224"
    case NID_sha256: "SHA-256"
    case NID_sha384: "SHA-384"
    case NID_sha512: "SHA-512"
    default: name(algorithm)
    }
  }

  static func name(_ algorithm: UnsafePointer<X509_ALGOR>) -> String {
    var object: OpaquePointer?
    X509_ALGOR_get0(&object, nil, nil, algorithm)
    var text = [CChar](repeating: 0, count: 80)
    OBJ_obj2txt(&text, Int32(text.count), object, 0)
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static func name(_ number: Int32) -> String {
    OBJ_nid2sn(number).map { String(cString: $0) } ?? "unknown"
  }
}
