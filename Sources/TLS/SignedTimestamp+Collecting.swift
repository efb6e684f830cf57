import COpenSSL

extension SignedTimestamp {
  /// Signatures beyond so many are not looked at: no certificate needs them, and each costs the loop a tenth of a millisecond.
  private static let checkLimit = 24
  /// Timestamps beyond so many are dropped.
  private static let limit = 64

  /// Everything that came with a certificate, from its three sources, in that order: the certificate, the handshake, the staple.
  ///
  /// - Parameters:
  ///   - issuer: whose key signed the leaf; nil: what is inside the certificate cannot be checked.
  ///   - handshake: the content of the TLS extension (a `SignedCertificateTimestampList`); what cannot be read is as good as absent.
  ///   - staple: the stapled OCSP response in DER.
  ///   - logs: the logs whose signatures can be checked, by their ids.
  public static func collect(
    leaf: Certificate, issuer: Certificate?, handshake: [UInt8], staple: [UInt8]?, logs: [[UInt8]: TransparencyLogKey]
  ) -> [SignedTimestamp] {
    defer { OpenSSLError.clear() }
    var collection = Collection(logs: logs)
    collection.add(copenssl_timestamps_of_certificate(leaf.pointer), .certificate) {
      issuer.flatMap { LogEntry(precertificateOf: leaf, issuer: $0) }
    }
    if !handshake.isEmpty {
      collection.add(copenssl_timestamps_read(handshake, handshake.count), .handshake) { LogEntry(leaf) }
    }
    if let staple, let issuer {
      OCSPStaple.withResponse(in: staple, about: leaf, issuer: issuer) { _, response in
        collection.add(copenssl_timestamps_of_response(response), .staple) { LogEntry(leaf) }
      }
    }
    return collection.found
  }

  private struct Collection {
    let logs: [[UInt8]: TransparencyLogKey]
    var found: [SignedTimestamp] = []

    /// Takes over the list.
    mutating func add(_ list: OpaquePointer?, _ source: Source, _ entry: () -> LogEntry?) {
      guard let list else { return }
      defer { SCT_LIST_free(list) }
      let entry = entry()
      for index in 0..<copenssl_timestamps_count(list) where found.count < SignedTimestamp.limit {
        guard let item = copenssl_timestamps_at(list, index) else { continue }
        found.append(read(item, source, entry))
      }
    }

    private func read(_ item: OpaquePointer, _ source: Source, _ entry: LogEntry?) -> SignedTimestamp {
      var start: UnsafeMutablePointer<UInt8>?
      let count = SCT_get0_log_id(item, &start)
      let logID = [UInt8](UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
      return SignedTimestamp(
        source: source, logID: logID, milliseconds: SCT_get_timestamp(item), signature: check(item, logID, entry))
    }

    private func check(_ item: OpaquePointer, _ logID: [UInt8], _ entry: LogEntry?) -> Signature {
      guard SCT_get_version(item) == SCT_VERSION_V1 else { return .unchecked }
      guard let key = logs[logID] else { return .unknownLog }
      guard let entry, found.count < SignedTimestamp.checkLimit else { return .unchecked }
      return key.hasSigned(item, entry) ? .valid : .invalid
    }
  }
}
