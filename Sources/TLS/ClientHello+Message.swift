extension ClientHello {
  /// Reads the body of a ClientHello message, without the four bytes of the handshake header. Nil if it is malformed.
  internal init?(message: UnsafeRawBufferPointer) {
    var body = WireCursor(message)
    guard let legacyVersion = body.uint16(), body.skip(32),
      let sessionID = body.vector8(), sessionID.count <= 32,
      let suites = body.vector16(), suites.count >= 2, suites.count % 2 == 0,
      let compressions = body.vector8(), compressions.count >= 1
    else { return nil }
    self.init(serverName: nil, alpn: [], versions: [legacyVersion])
    // A hello without extensions ends here.
    guard body.count > 0 else { return }
    guard var extensions = body.vector16(), body.count == 0 else { return nil }
    while extensions.count > 0 {
      guard let type = extensions.uint16(), let content = extensions.vector16() else { return nil }
      guard read(content, ofExtension: type) else { return nil }
    }
  }

  /// False if the content is malformed. Repeated extensions are left to the handshake proper, which refuses them.
  private mutating func read(_ content: WireCursor, ofExtension type: UInt16) -> Bool {
    switch type {
    case 0: readServerName(content)
    case 16: readProtocols(content)
    case 43: readVersions(content)
    default: true
    }
  }

  private mutating func readServerName(_ content: WireCursor) -> Bool {
    var content = content
    guard var names = content.vector16(), content.count == 0, names.count > 0 else { return false }
    while names.count > 0 {
      guard let type = names.byte(), let name = names.vector16() else { return false }
      guard type == 0 else { continue }
      // Taking a name that cannot be one as no name would let it past the comparison with the CONNECT target.
      guard let text = name.visibleText, text.utf8.count <= 255 else { return false }
      serverName = serverName ?? text
    }
    return true
  }

  private mutating func readProtocols(_ content: WireCursor) -> Bool {
    var content = content
    guard var names = content.vector16(), content.count == 0, names.count > 0 else { return false }
    var protocols: [String] = []
    while names.count > 0 {
      guard let name = names.vector8(), name.count > 0 else { return false }
      if let text = name.visibleText { protocols.append(text) }
    }
    alpn = protocols
    return true
  }

  private mutating func readVersions(_ content: WireCursor) -> Bool {
    var content = content
    guard var list = content.vector8(), content.count == 0, list.count >= 2, list.count % 2 == 0 else { return false }
    var offered: [UInt16] = []
    while let version = list.uint16() { offered.append(version) }
    versions = offered
    return true
  }
}
