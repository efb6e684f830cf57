import COpenSSL

@testable import TLS

/// Makes OCSP responses for one authority.
struct TestResponder {
  let issuer: TestAuthority

  enum Answer {
    case good, unknown
    case revoked(at: Int64)
  }

  /// A response about `leaf`, in DER.
  ///
  /// - Parameters:
  ///   - until: `nextUpdate`, seconds since 1970; nil: none.
  ///   - signer: who signs; nil: the issuer.
  ///   - timestamps: a `SignedCertificateTimestampList` to carry.
  func response(
    _ answer: Answer, about leaf: Certificate, from begin: Int64 = TestAuthority.now - 3_600,
    until end: Int64? = TestAuthority.now + 86_400, hash: OpaquePointer? = EVP_sha1(), signer: TestAuthority? = nil,
    timestamps: [UInt8] = []
  ) throws -> [UInt8] {
    let authority = signer ?? issuer
    guard let basic = OCSP_BASICRESP_new(),
      let id = OCSP_cert_to_id(hash, leaf.pointer, issuer.certificate.pointer)
    else { throw TestLog.Fault() }
    defer {
      OCSP_BASICRESP_free(basic)
      OCSP_CERTID_free(id)
    }
    let times = [begin, end].map { moment in moment.flatMap { ASN1_GENERALIZEDTIME_set(nil, time_t($0)) } }
    defer { times.forEach(ASN1_GENERALIZEDTIME_free) }
    var status = V_OCSP_CERTSTATUS_GOOD
    var reason: Int32 = 0
    var revocation: UnsafeMutablePointer<ASN1_TIME>?
    defer { ASN1_GENERALIZEDTIME_free(revocation) }
    switch answer {
    case .good: break
    case .unknown: status = V_OCSP_CERTSTATUS_UNKNOWN
    case .revoked(let moment):
      status = V_OCSP_CERTSTATUS_REVOKED
      reason = OCSP_REVOKED_STATUS_KEYCOMPROMISE
      revocation = ASN1_GENERALIZEDTIME_set(nil, time_t(moment))
    }
    guard let single = OCSP_basic_add1_status(basic, id, status, reason, revocation, times[0], times[1]) else {
      throw TestLog.Fault()
    }
    if !timestamps.isEmpty {
      guard let list = copenssl_timestamps_read(timestamps, timestamps.count) else { throw TestLog.Fault() }
      defer { SCT_LIST_free(list) }
      guard OCSP_SINGLERESP_add1_ext_i2d(single, NID_ct_cert_scts, UnsafeMutableRawPointer(list), 0, 0) == 1 else {
        throw TestLog.Fault()
      }
    }
    guard
      OCSP_basic_sign(basic, authority.certificate.pointer, authority.key.pointer, EVP_sha256(), nil, 0) == 1,
      let whole = OCSP_response_create(OCSP_RESPONSE_STATUS_SUCCESSFUL, basic)
    else { throw TestLog.Fault() }
    defer { OCSP_RESPONSE_free(whole) }
    return LibraryBytes.encoded { i2d_OCSP_RESPONSE(whole, $0) } ?? []
  }
}
