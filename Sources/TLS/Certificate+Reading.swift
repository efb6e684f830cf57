import COpenSSL

extension Certificate {
  /// Files above this size are not looked at; the bundle of all public roots has a quarter of a megabyte.
  private static let byteLimit = 16 << 20

  /// Reads exactly one certificate in DER.
  public convenience init(der: [UInt8]) throws(TLSFileFault) {
    guard let (x509, used) = Self.read(der: der) else {
      throw .unreadable("it is no certificate in DER: \(OpenSSLError.take())")
    }
    guard used == der.count else {
      X509_free(x509)
      throw .unreadable("\(der.count - used) bytes follow the certificate")
    }
    self.init(adopting: x509)
  }

  /// Reads one certificate in DER, or every certificate of PEM text in its order.
  ///
  /// Between the PEM blocks any text may stand, and blocks of other kinds (keys, parameters) are passed over. A block that
  /// calls itself a certificate and is none is an error. The result is never empty.
  public static func parse(pemOrDER bytes: [UInt8]) throws(TLSFileFault) -> [Certificate] {
    guard bytes.count <= byteLimit else { throw .unreadable("it is larger than \(byteLimit >> 20) MiB") }
    guard !bytes.isEmpty else { throw .unreadable("it is empty") }
    // DER begins with a SEQUENCE, "0" in ASCII.
    if bytes.first == 0x30, let certificate = try? Certificate(der: bytes) { return [certificate] }
    let blocks = try pemBlocks(bytes)
    guard blocks.anyFound else { throw .unreadable("it is neither PEM nor one certificate in DER") }
    guard !blocks.certificates.isEmpty else { throw .noCertificate }
    return blocks.certificates
  }

  private static func read(der: [UInt8]) -> (OpaquePointer, used: Int)? {
    OpenSSLError.clear()
    return der.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return nil }
      var position: UnsafePointer<UInt8>? = start
      guard let x509 = d2i_X509(nil, &position, buffer.count) else { return nil }
      return (x509, used: position.map { $0 - start } ?? 0)
    }
  }

  private static func pemBlocks(_ bytes: [UInt8]) throws(TLSFileFault) -> (certificates: [Certificate], anyFound: Bool)
  {
    // A byte order mark would hide the first block.
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    var certificates: [Certificate] = []
    var blockCount = 0
    let fault: TLSFileFault? =
      LibraryBytes.reading(text) { bio in
        while true {
          OpenSSLError.clear()
          var name: UnsafeMutablePointer<CChar>?
          var header: UnsafeMutablePointer<CChar>?
          var data: UnsafeMutablePointer<UInt8>?
          var count = 0
          guard PEM_read_bio(bio, &name, &header, &data, &count) == 1, let name else {
            let error = OpenSSLError.take()
            let isEnd = error.entries.last.map { $0.library == ERR_LIB_PEM && $0.reason == PEM_R_NO_START_LINE }
            return isEnd == true ? nil : .unreadable("PEM block \(blockCount + 1) is damaged: \(error)")
          }
          defer {
            [UnsafeMutableRawPointer(name), UnsafeMutableRawPointer(header), UnsafeMutableRawPointer(data)].forEach(
              copenssl_free)
          }
          blockCount += 1
          var position = UnsafePointer(data)
          let x509: OpaquePointer?
          switch String(cString: name) {
          case PEM_STRING_X509, PEM_STRING_X509_OLD: x509 = d2i_X509(nil, &position, count)
          case PEM_STRING_X509_TRUSTED: x509 = d2i_X509_AUX(nil, &position, count)
          default: continue
          }
          guard let x509 else {
            return .unreadable("PEM block \(blockCount) is no certificate: \(OpenSSLError.take())")
          }
          certificates.append(Certificate(adopting: x509))
        }
      } ?? .unreadable("out of memory")
    if let fault { throw fault }
    return (certificates, blockCount > 0)
  }
}
