import COpenSSL
public import Names

/// Builds and checks certificate paths. Pure: no revocation, no network. Key sizes and hashes are left to the policy.
public enum ChainVerifier {
  /// A path longer than this is a fault.
  private static let depthLimit: Int32 = 16

  /// Evaluates what a server presented.
  ///
  /// - Parameters:
  ///   - others: what it sent after the leaf, in any order; only what leads to an anchor is used.
  ///   - host: whom the leaf must be for; nil: no check.
  ///   - time: when, in seconds since 1970; nil: now.
  /// - Returns: all faults, not only the first.
  public static func evaluate(
    leaf: Certificate, others: [Certificate], anchors: TrustStore, host: Host?, at time: Int64?
  ) -> ChainResult {
    OpenSSLError.clear()
    defer { OpenSSLError.clear() }
    let hostMatches = host.map { NameCheck.isLeaf(leaf, for: $0) } ?? true
    let faults = FaultCollector()
    guard let path = build(leaf, others, anchors, time, faults) else {
      return ChainResult(
        chain: [leaf], faults: [.other("the verification could not run: \(OpenSSLError.take())")],
        anchorIsSystem: false,
        hostMatches: hostMatches)
    }
    for (depth, certificate) in path.chain.enumerated() where !certificate.serves(asLeaf: depth == 0) {
      faults.add(.wrongPurpose(depth: depth))
    }
    if !hostMatches { faults.add(.nameMismatch) }
    return ChainResult(
      chain: path.chain, faults: faults.all,
      anchorIsSystem: path.isAnchored && path.chain.last.map(anchors.isSystemAnchor) == true, hostMatches: hostMatches)
  }

  /// Runs OpenSSL's verification to its end whatever it finds; nil when it could not run.
  private static func build(
    _ leaf: Certificate, _ others: [Certificate], _ anchors: TrustStore, _ time: Int64?, _ faults: FaultCollector
  ) -> (chain: [Certificate], isAnchored: Bool)? {
    guard let context = X509_STORE_CTX_new(), let untrusted = copenssl_certificates_new() else { return nil }
    defer {
      X509_STORE_CTX_free(context)
      copenssl_certificates_free(untrusted)
    }
    // OpenSSL would go on past a leaf that is an anchor, and judge what it finds there.
    let others = anchors.isAnchor(leaf: leaf) ? [] : others
    guard others.allSatisfy({ copenssl_certificates_push(untrusted, $0.pointer) == 1 }),
      X509_STORE_CTX_init(context, anchors.pointer, leaf.pointer, untrusted) == 1
    else { return nil }
    // No purpose here: OpenSSL refuses anyExtendedKeyUsage for servers, Apple does not. See `serves`.
    let parameters = X509_STORE_CTX_get0_param(context)
    X509_VERIFY_PARAM_set_trust(parameters, X509_TRUST_SSL_SERVER)
    X509_VERIFY_PARAM_set_auth_level(parameters, 0)
    X509_VERIFY_PARAM_set_depth(parameters, depthLimit)
    if let time { X509_VERIFY_PARAM_set_time(parameters, time_t(time)) }
    X509_STORE_CTX_set_ex_data(context, 0, Unmanaged.passUnretained(faults).toOpaque())
    X509_STORE_CTX_set_verify_cb(context) { isGood, context in
      guard isGood == 0, let data = X509_STORE_CTX_get_ex_data(context, 0) else { return 1 }
      let code = X509_STORE_CTX_get_error(context)
      let depth = Int(X509_STORE_CTX_get_error_depth(context))
      Unmanaged<FaultCollector>.fromOpaque(data).takeUnretainedValue().add(ChainFault(code: code, depth: depth))
      return 1
    }
    let status = X509_verify_cert(context)
    let stack = X509_STORE_CTX_get0_chain(context)
    let chain = (0..<copenssl_certificates_count(stack)).compactMap { index in
      copenssl_certificates_at(stack, index).map { $0 == leaf.pointer ? leaf : Certificate(retaining: $0) }
    }
    guard !chain.isEmpty else { return nil }
    if status <= 0, faults.all.isEmpty {
      faults.add(ChainFault(code: X509_STORE_CTX_get_error(context), depth: 0))
    }
    let isAnchored = !faults.all.contains(.unknownRoot) && !faults.all.contains(.selfSigned)
    return (chain, isAnchored)
  }
}

/// Faults as the verification reports them, each once. Confined to one evaluation.
private final class FaultCollector {
  private(set) var all: [ChainFault] = []

  func add(_ fault: ChainFault) {
    if !all.contains(fault) { all.append(fault) }
  }
}

extension Certificate {
  /// Whether it may serve for TLS servers: extended key usage absent, any, serverAuth or one of the old step-up (SGC) ones, on
  /// authorities too. A leaf's key usage, where present, must allow one of the uses that TLS has for a server's key.
  fileprivate func serves(asLeaf isLeaf: Bool) -> Bool {
    let wanted = UInt32(XKU_SSL_SERVER | XKU_SGC | XKU_ANYEKU)
    guard X509_get_extended_key_usage(pointer) & wanted != 0 else { return false }
    let use = UInt32(KU_DIGITAL_SIGNATURE | KU_KEY_ENCIPHERMENT | KU_KEY_AGREEMENT)
    return !isLeaf || X509_get_key_usage(pointer) & use != 0
  }
}
