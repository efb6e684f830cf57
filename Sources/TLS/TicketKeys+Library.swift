import COpenSSL

extension TicketKeys {
  /// What the library calls for each ticket that it makes or gets back (SSL_CTX_set_tlsext_ticket_key_evp_cb(3)).
  ///
  /// - Returns: 1: the keys are set; 2: they are, and the device should get a new ticket; 0: no ticket, or a full handshake.
  static let chooseKey:
    @convention(c) (
      OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt8>?, OpaquePointer?, OpaquePointer?, Int32
    ) -> Int32 = { ssl, name, vector, cipher, mac, isSealing in
      guard let ssl, let owner = copenssl_owner(ssl), let name, let vector, let cipher, let mac,
        case .server(_, let keys) = Unmanaged<TLSSession>.fromOpaque(owner).takeUnretainedValue().role
      else { return 0 }
      if isSealing != 0 {
        let key = keys.sealing()
        guard RAND_bytes(vector, Int32(vectorByteCount)) == 1 else { return 0 }
        name.update(from: key.name, count: key.name.count)
        return key.apply(cipher, mac, vector, isSealing: 1) ? 1 : 0
      }
      switch keys.opening(UnsafeRawBufferPointer(start: name, count: 16)) {
      case .current(let key):
        guard key.apply(cipher, mac, vector, isSealing: 0) else { return 0 }
        // A ticket of TLS 1.3 is meant to be used once (RFC 8446, appendix C.4).
        return SSL_version(ssl) == TLS1_3_VERSION ? 2 : 1
      case .former(let key): return key.apply(cipher, mac, vector, isSealing: 0) ? 2 : 0
      case nil: return 0
      }
    }

  private static let vectorByteCount = 16
}

extension TicketKeys.Key {
  fileprivate func apply(
    _ cipher: OpaquePointer, _ mac: OpaquePointer, _ vector: UnsafeMutablePointer<UInt8>, isSealing: Int32
  ) -> Bool {
    copenssl_use_ticket_key(cipher, mac, cipherKey, macKey, macKey.count, vector, isSealing) == 1
  }
}
