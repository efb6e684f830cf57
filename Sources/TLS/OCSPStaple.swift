import COpenSSL

/// What a stapled OCSP response says of a certificate (RFC 6960). Whether it is recent enough is left to the policy.
public enum OCSPStaple: Sendable, Hashable {
  /// Seconds since 1970 between which the answer holds (`thisUpdate`, `nextUpdate`).
  public struct Period: Sendable, Hashable {
    public let begin: Int64
    /// nil: the responder does not say.
    public let end: Int64?

    public init(begin: Int64, end: Int64?) {
      self.begin = begin
      self.end = end
    }
  }

  case good(Period)
  /// - `at`: seconds since 1970.
  /// - `reason`: in OpenSSL's words; nil: none was given.
  case revoked(at: Int64, reason: String?, Period)
  /// As good as absent; why, as a part of a sentence.
  case unusable(String)

  /// Responses for more certificates than this are not searched further.
  private static let searchLimit = 64

  /// Reads and verifies a response: it must be about the leaf, and signed by its issuer or by a responder whom the issuer
  /// authorised (RFC 6960 section 4.2.2.2).
  ///
  /// - Parameter time: when, in seconds since 1970, the certificate of the responder must be valid.
  public static func read(_ der: [UInt8], leaf: Certificate, issuer: Certificate, at time: Int64) -> OCSPStaple {
    defer { OpenSSLError.clear() }
    var status: OCSPStaple?
    let fault = withResponse(in: der, about: leaf, issuer: issuer) { basic, response in
      status =
        isSigned(basic, by: issuer, at: time) ? self.status(of: response) : .unusable("its signature is not valid")
    }
    return status ?? .unusable(fault ?? "it cannot be read")
  }

  /// Calls `body` with the `OCSP_BASICRESP` and the `OCSP_SINGLERESP` in it that is about the leaf.
  ///
  /// - Returns: why it was not called; nil when it was.
  @discardableResult
  static func withResponse(
    in der: [UInt8], about leaf: Certificate, issuer: Certificate, _ body: (OpaquePointer, OpaquePointer) -> Void
  ) -> String? {
    let outer = der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
      var position = buffer.baseAddress
      return position == nil ? nil : d2i_OCSP_RESPONSE(nil, &position, buffer.count)
    }
    guard let outer else { return "it is no OCSP response" }
    defer { OCSP_RESPONSE_free(outer) }
    guard OCSP_response_status(outer) == OCSP_RESPONSE_STATUS_SUCCESSFUL else { return "the responder gave no answer" }
    guard let basic = OCSP_response_get1_basic(outer) else { return "it is of an unknown kind" }
    defer { OCSP_BASICRESP_free(basic) }
    for index in 0..<min(Int(OCSP_resp_count(basic)), searchLimit) {
      guard let response = OCSP_resp_get0(basic, Int32(index)),
        copenssl_response_is_about(response, leaf.pointer, issuer.pointer) == 1
      else { continue }
      body(basic, response)
      return nil
    }
    return "it is about another certificate"
  }

  /// The issuer is the only anchor, so that nobody else can have authorised a responder.
  private static func isSigned(_ basic: OpaquePointer, by issuer: Certificate, at time: Int64) -> Bool {
    guard let store = X509_STORE_new(), let known = copenssl_certificates_new() else { return false }
    defer {
      X509_STORE_free(store)
      copenssl_certificates_free(known)
    }
    X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN))
    X509_VERIFY_PARAM_set_time(X509_STORE_get0_param(store), time_t(time))
    return X509_STORE_add_cert(store, issuer.pointer) == 1 && copenssl_certificates_push(known, issuer.pointer) == 1
      && OCSP_basic_verify(basic, known, store, UInt(OCSP_PARTIAL_CHAIN)) == 1
  }

  private static func status(of response: OpaquePointer) -> OCSPStaple {
    var reason: Int32 = -1
    var revocation: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
    var begin: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
    var end: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
    let status = OCSP_single_get0_status(response, &reason, &revocation, &begin, &end)
    let period = Period(begin: Certificate.seconds(begin), end: end.map { Certificate.seconds($0) })
    switch status {
    case V_OCSP_CERTSTATUS_GOOD: return .good(period)
    case V_OCSP_CERTSTATUS_REVOKED:
      let words = reason < 0 ? nil : OCSP_crl_reason_str(Int(reason)).map { String(cString: $0) }
      return .revoked(at: Certificate.seconds(revocation), reason: words, period)
    default: return .unusable("the responder does not know the certificate")
    }
  }
}
