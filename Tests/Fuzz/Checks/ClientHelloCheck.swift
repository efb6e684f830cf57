import Names
import TLS

/// A ClientHello at the front of a connection.
enum ClientHelloCheck {
  @Sendable static func run(_ bytes: [UInt8]) throws(Complaint) {
    try claimSteady(bytes, needMore: .needMore, ClientHello.parse)
    let whole = bytes.withUnsafeBytes(ClientHello.parse)
    try claim(
      whole != .needMore || bytes.count < ClientHello.maximumWireByteCount, "more is wanted after \(bytes.count) bytes")
    guard case .hello(let hello) = whole else { return }
    let texts = hello.alpn + [hello.serverName ?? "a"]
    try claim(
      texts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } }, "invisible text: \(hello)")
    try claim(hello.offers(.v13) == hello.versions.contains(0x0304), "the versions of \(hello)")
  }
}
