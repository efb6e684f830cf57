/// Names that DNS is not asked for (RFC 6761, RFC 6762, RFC 7686).
enum SpecialName {
  case loopback
  case nonexistent
  case local
  case ordinary

  /// IPv6 first; where it is switched off, connecting to it fails at once.
  static let loopbackAddresses = [
    SocketAddress(storage: .v6(0, 1, port: 0, scope: 0)), SocketAddress(storage: .v4(0x7F00_0001, port: 0)),
  ]

  init(_ name: String) {
    let name = name.hasSuffix(".") ? name.dropLast() : name[...]
    // A C string ends at a NUL: what follows must not change the meaning of what was judged. RFC 1035 section 2.3.4
    // limits the length.
    guard !name.isEmpty, name.utf8.count <= 253, !name.utf8.contains(0) else {
      self = .nonexistent
      return
    }
    let last = name.lastIndex(of: ".").map { name[name.index(after: $0)...] } ?? name
    switch last.lowercased() {
    case "localhost": self = .loopback
    case "invalid", "onion": self = .nonexistent
    case "local": self = .local
    default: self = .ordinary
    }
  }
}
