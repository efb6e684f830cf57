import COpenSSL
import Glibc

extension Certificate {
  public var der: [UInt8] {
    LibraryBytes.encoded { i2d_X509(pointer, $0) } ?? []
  }

  public var pem: String {
    String(decoding: LibraryBytes.written { PEM_write_bio_X509($0, pointer) } ?? [], as: UTF8.self)
  }

  /// SHA-256 of the SubjectPublicKeyInfo, which is what pins name.
  public var spkiDigest: [UInt8] {
    Digest.sha256(LibraryBytes.encoded { i2d_X509_PUBKEY(X509_get_X509_PUBKEY(pointer), $0) } ?? [])
  }

  /// On one line as RFC 2253 writes it, most specific first: `CN=a.test,O=Example`. Empty for an empty name.
  public var subject: String { Self.line(X509_get_subject_name(pointer)) }

  /// Like `subject`.
  public var issuer: String { Self.line(X509_get_issuer_name(pointer)) }

  /// The hash of the subject by which Android's store of system certificates names its files (`openssl x509 -subject_hash_old`): eight
  /// hexadecimal digits, of MD5. It finds files and proves nothing.
  public var oldSubjectHash: String {
    defer { OpenSSLError.clear() }
    let text = String(X509_subject_name_hash_old(pointer), radix: 16)
    return String(repeating: "0", count: max(0, 8 - text.count)) + text
  }

  /// The most specific CN of the subject.
  public var commonName: String? {
    let name = X509_get_subject_name(pointer)
    var last: Int32 = -1
    while true {
      let next = X509_NAME_get_index_by_NID(name, NID_commonName, last)
      guard next >= 0 else { break }
      last = next
    }
    guard last >= 0, let value = X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, last)) else { return nil }
    return LibraryBytes.encoded { ASN1_STRING_to_UTF8($0, value) }.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Seconds since 1970; 0 when the certificate holds no readable time.
  public var notBefore: Int64 { Self.seconds(X509_get0_notBefore(pointer)) }

  /// Seconds since 1970; 0, so expired, when the certificate holds no readable time.
  public var notAfter: Int64 { Self.seconds(X509_get0_notAfter(pointer)) }

  /// The DNS names of the subjectAltName, as written. The subject's CN is none of them.
  public var dnsNames: [String] {
    alternativeNames(GEN_DNS).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The addresses of the subjectAltName: 4 or 16 bytes in network order, or whatever else the certificate holds.
  public var ipAddresses: [[UInt8]] { alternativeNames(GEN_IPADD) }

  /// Whether the basicConstraints say so.
  public var isCA: Bool { X509_get_extension_flags(pointer) & UInt32(EXFLAG_CA) != 0 }

  /// Whether it may sign other certificates: a CA by its basicConstraints whose key usage, if any, has keyCertSign.
  public var maySignCertificates: Bool { isCA && X509_check_ca(pointer) == 1 }

  /// Whether subject and issuer are the same name.
  public var isSelfIssued: Bool { X509_get_extension_flags(pointer) & UInt32(EXFLAG_SI) != 0 }

  public var subjectKeyIdentifier: [UInt8]? {
    X509_get0_subject_key_id(pointer).map {
      [UInt8](UnsafeBufferPointer(start: ASN1_STRING_get0_data($0), count: Int(ASN1_STRING_length($0))))
    }
  }

  public var key: KeyFacts {
    defer { OpenSSLError.clear() }
    return KeyFacts(X509_get0_pubkey(pointer))
  }

  /// The hash of the signature that the issuer made.
  public var signatureHash: SignatureHash {
    defer { OpenSSLError.clear() }
    var hash: Int32 = 0
    var algorithm: Int32 = 0
    guard X509_get_signature_info(pointer, &hash, &algorithm, nil, nil) == 1 else { return .unknown }
    return switch hash {
    case NID_md5: .md5
    case NID_sha1: .sha1
    case NID_sha224: .sha224
    case NID_sha256: .sha256
    case NID_sha384: .sha384
    case NID_sha512: .sha512
    case NID_undef where algorithm == NID_ED25519 || algorithm == NID_ED448: .intrinsic
    default: .unknown
    }
  }

  /// In hexadecimal, upper case, without separators.
  public var serial: String {
    guard let number = ASN1_INTEGER_to_BN(X509_get0_serialNumber(pointer), nil) else { return "" }
    defer { BN_free(number) }
    guard let text = BN_bn2hex(number) else { return "" }
    defer { copenssl_free(text) }
    return String(cString: text)
  }

  /// Whether names, key identifiers and key usage allow that `issuer` signed this certificate; the signature is not checked.
  func canBeIssued(by issuer: Certificate) -> Bool {
    defer { OpenSSLError.clear() }
    return X509_check_issued(issuer.pointer, pointer) == X509_V_OK
  }

  private func alternativeNames(_ wanted: Int32) -> [[UInt8]] {
    let names = copenssl_alternative_names(pointer)
    defer {
      GENERAL_NAMES_free(names)
      OpenSSLError.clear()
    }
    return (0..<copenssl_names_count(names)).compactMap { index in
      var kind: Int32 = 0
      var count: Int32 = 0
      guard let bytes = copenssl_name_at(names, index, &kind, &count), kind == wanted else { return nil }
      return [UInt8](UnsafeBufferPointer(start: bytes, count: Int(count)))
    }
  }

  /// RFC 2253, but text beyond ASCII stays readable; control characters are escaped.
  static func line(_ name: OpaquePointer?) -> String {
    let bytes = LibraryBytes.written { copenssl_print_name($0, name) }
    return String(decoding: bytes ?? [], as: UTF8.self)
  }

  /// Seconds since 1970; 0 for a time that cannot be read.
  static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64 {
    var parts = tm()
    guard let time, ASN1_TIME_to_tm(time, &parts) == 1 else { return 0 }
    return Int64(timegm(&parts))
  }
}
