import COpenSSL

@testable import TLS

/// Certificates with further extensions, and what servers send beside them.
extension PKI {
  /// An identity for servers.
  ///
  /// - Parameters:
  ///   - extensions: numbers and values, as OpenSSL's configuration has them.
  ///   - logs: put timestamps into the certificate.
  ///   - sent: certificates that the server sends after its own.
  static func server(
    _ name: String, by issuer: Issuer, extensions: [(Int32, String)] = [], logs: [TestLog] = [],
    sending sent: [Certificate] = []
  ) throws -> Identity {
    let key = try PrivateKey.generate(.p256)
    let draft = CertificateDraft(
      commonName: name, alternativeNames: [.dns(name)], role: .leaf, keyUsage: .digitalSignature,
      purposes: [.serverAuthentication], notBefore: now - 30 * day, notAfter: now + 60 * day)
    let plain = try draft.signed(for: key, by: issuer.certificate, issuer.key).adding(extensions, signedBy: issuer)
    let leaf = logs.isEmpty ? plain : try plain.adding(logs, signedBy: issuer)
    return Identity(name: name, leaf: leaf, chain: sent, key: key)
  }

  /// An authority below another one.
  static func authority(_ name: String, by issuer: Issuer? = nil, extensions: [(Int32, String)] = []) throws -> Issuer {
    let key = try PrivateKey.generate(.p256)
    let draft = CertificateDraft(
      commonName: name, role: .authority(pathLength: nil), keyUsage: [.certificateSigning],
      notBefore: now - 90 * day, notAfter: now + 365 * day)
    guard let issuer else { return Issuer(certificate: try draft.selfSigned(with: key), key: key) }
    let plain = try draft.signed(for: key, by: issuer.certificate, issuer.key)
    return Issuer(certificate: try plain.adding(extensions, signedBy: issuer), key: key)
  }

  /// A root that counts as one of the operating system's, for every test of this process.
  static func systemRoot(_ name: String) throws -> Issuer {
    let root = try authority(name)
    guard X509_STORE_add_cert(TrustStore.system().pointer, root.certificate.pointer) == 1 else { throw TestLog.Fault() }
    return root
  }

  /// An OCSP response about a certificate, good for a day, in DER.
  static func staple(about leaf: Certificate, by issuer: Issuer, isRevoked: Bool = false) throws -> [UInt8] {
    guard let basic = OCSP_BASICRESP_new(),
      let id = OCSP_cert_to_id(EVP_sha1(), leaf.pointer, issuer.certificate.pointer)
    else { throw TestLog.Fault() }
    let times = [now - 3_600, now + day].map { ASN1_GENERALIZEDTIME_set(nil, time_t($0)) }
    defer {
      OCSP_BASICRESP_free(basic)
      OCSP_CERTID_free(id)
      times.forEach(ASN1_GENERALIZEDTIME_free)
    }
    let status = isRevoked ? V_OCSP_CERTSTATUS_REVOKED : V_OCSP_CERTSTATUS_GOOD
    guard
      OCSP_basic_add1_status(
        basic, id, status, OCSP_REVOKED_STATUS_KEYCOMPROMISE, isRevoked ? times[0] : nil, times[0], times[1]) != nil,
      OCSP_basic_sign(basic, issuer.certificate.pointer, issuer.key.pointer, EVP_sha256(), nil, 0) == 1,
      let whole = OCSP_response_create(OCSP_RESPONSE_STATUS_SUCCESSFUL, basic)
    else { throw TestLog.Fault() }
    defer { OCSP_RESPONSE_free(whole) }
    return LibraryBytes.encoded { i2d_OCSP_RESPONSE(whole, $0) } ?? []
  }
}

extension Certificate {
  func adding(_ extensions: [(Int32, String)], signedBy issuer: PKI.Issuer) throws -> Certificate {
    try changed(signedBy: issuer) { copy in
      extensions.allSatisfy { number, value in
        guard let made = X509V3_EXT_conf_nid(nil, nil, number, value) else { return false }
        defer { X509_EXTENSION_free(made) }
        return X509_add_ext(copy, made, -1) == 1
      }
    }
  }

  /// With timestamps that were made for it as it is.
  func adding(_ logs: [TestLog], signedBy issuer: PKI.Issuer) throws -> Certificate {
    let content = LibraryBytes.encoded { i2d_re_X509_tbs(pointer, $0) } ?? []
    let count = [UInt8(content.count >> 16), UInt8(content.count >> 8 & 255), UInt8(content.count & 255)]
    let entry = LogEntry(bytes: [0, 1] + issuer.certificate.spkiDigest + count + content)
    let list = TestLog.list(try logs.map { try $0.timestamp(entry) })
    guard let timestamps = copenssl_timestamps_read(list, list.count) else { throw TestLog.Fault() }
    defer { SCT_LIST_free(timestamps) }
    return try changed(signedBy: issuer) { copy in
      X509_add1_ext_i2d(copy, NID_ct_precert_scts, UnsafeMutableRawPointer(timestamps), 0, 0) == 1
    }
  }

  private func changed(signedBy issuer: PKI.Issuer, _ change: (OpaquePointer) -> Bool) throws -> Certificate {
    guard let copy = X509_dup(pointer) else { throw TestLog.Fault() }
    let certificate = Certificate(adopting: copy)
    guard change(copy), X509_sign(copy, issuer.key.pointer, EVP_sha256()) > 0 else { throw TestLog.Fault() }
    return try Certificate(der: certificate.der)
  }
}

extension TLSServerContext {
  /// Sends clients that ask for them a stapled response and a list of timestamps. What is lent lives as long as the process.
  func sends(staple: [UInt8]? = nil, timestamps: [UInt8]? = nil) {
    if let staple { sendStaple(staple) }
    if let timestamps { sendTimestamps(timestamps) }
  }

  private func sendStaple(_ staple: [UInt8]) {
    SSL_CTX_ctrl(pointer, SSL_CTRL_SET_TLSEXT_STATUS_REQ_CB_ARG, 0, Self.lend(staple).baseAddress)
    _ = copenssl_ctx_ask_for_status(pointer) { ssl, lent in
      guard let lent = lent?.assumingMemoryBound(to: UInt8.self) else { return SSL_TLSEXT_ERR_NOACK }
      let count = Int(lent[0]) << 8 | Int(lent[1])
      guard let copy = CRYPTO_memdup(lent + 2, count, #file, #line) else { return SSL_TLSEXT_ERR_NOACK }
      SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_STATUS_REQ_OCSP_RESP, count, copy)
      return SSL_TLSEXT_ERR_OK
    }
  }

  private func sendTimestamps(_ timestamps: [UInt8]) {
    let messages = UInt32(SSL_EXT_CLIENT_HELLO | SSL_EXT_TLS1_2_SERVER_HELLO | SSL_EXT_TLS1_3_CERTIFICATE)
    SSL_CTX_add_custom_ext(
      pointer, UInt32(TLSEXT_TYPE_signed_certificate_timestamp), messages,
      { _, _, _, bytes, count, _, depth, _, lent in
        guard depth == 0, let lent = lent?.assumingMemoryBound(to: UInt8.self) else { return 0 }
        bytes?.pointee = UnsafePointer(lent + 2)
        count?.pointee = Int(lent[0]) << 8 | Int(lent[1])
        return 1
      }, nil, Self.lend(timestamps).baseAddress, { _, _, _, _, _, _, _, _, _ in 1 }, nil)
  }

  private static func lend(_ bytes: [UInt8]) -> UnsafeMutableBufferPointer<UInt8> {
    let lent = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count + 2)
    _ = lent.initialize(fromContentsOf: [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)] + bytes)
    return lent
  }
}
