public import EventLoop
import Names

/// The site's own listener as devices are to be told of it: the address that a QR code carries.
public struct OnboardingEntrance: Sendable, Equatable {
  private let port: UInt16
  /// nil: it listens on every address of this machine.
  private let host: String?
  /// For who came by loopback, and so did not tell by which address this machine is reached.
  private let machineHost: String

  /// - Parameters:
  ///   - address: where the listener really listens. nil for a socket file, which no device can reach.
  ///   - machine: the addresses of this machine.
  public init?(_ address: SocketAddress, machine: [SocketAddress]) {
    guard let port = address.port, let ip = address.ipBytes.flatMap(IPAddress.init(bytes:)) else { return nil }
    self.port = port
    host = ip.isUnspecified ? nil : Self.bracketed(address.ipText)
    machineHost = machine.first { Self.isOfNetwork($0) }.map { Self.bracketed($0.ipText) } ?? "127.0.0.1"
  }

  /// - Parameter local: `host:port` of this machine as the device reached it.
  func url(local: String) -> String {
    "http://\(host ?? Self.reachable(local) ?? machineHost):\(port)/"
  }

  /// For a terminal, which came by no address.
  public var url: String { url(local: "") }

  /// The host of `host:port`, unless that is loopback or no such text.
  private static func reachable(_ local: String) -> String? {
    guard let address = SocketAddress.parse(local), let ip = address.ipBytes.flatMap(IPAddress.init(bytes:)),
      !ip.isLoopback, !ip.isUnspecified
    else { return nil }
    return bracketed(address.ipText)
  }

  /// IPv4, since that is what local networks have, and no address that only this machine or link knows.
  private static func isOfNetwork(_ address: SocketAddress) -> Bool {
    guard let bytes = address.ipBytes, bytes.count == 4 else { return false }
    return bytes[0] != 127 && bytes[0] != 0 && !(bytes[0] == 169 && bytes[1] == 254)
  }

  private static func bracketed(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }
}
