public import Configuration
public import EventLoop
import Names

/// The console's listening socket before anybody is let in. Given up with `close`, or put to use by `ConsoleServer.open`.
public struct ConsoleOpening: Sendable {
  /// As configured.
  public let configured: ListenAddress
  let listener: Listener

  /// Where it really listens: port 0 is resolved.
  public var address: SocketAddress { listener.address }

  /// - Parameter inherited: takes a listening descriptor that systemd handed over, by its name.
  public init(_ address: ListenAddress, inherited: (String) -> Int32?) throws(ConsoleFault) {
    configured = address
    do throws(SystemError) {
      listener = try Self.listen(address, inherited)
    } catch {
      throw ConsoleFault(address: "\(address)", reason: "\(error)", isPermission: error.isPermission)
    }
  }

  private static func listen(_ address: ListenAddress, _ inherited: (String) -> Int32?) throws(SystemError) -> Listener
  {
    switch address {
    case .tcp(let ip, let port):
      guard let address = SocketAddress(ip: ip.bytes, port: port) else {
        throw SystemError(code: 22, call: "bind")
      }
      return try Listener(address: address, backlog: 64)
    case .unix(let path): return try Listener(address: SocketAddress(unixPath: path), backlog: 64)
    case .systemd(let name):
      // ENOENT: there is no such socket.
      guard let descriptor = inherited(name) else { throw SystemError(code: 2, call: "sd_listen_fds") }
      return try Listener(adopting: descriptor)
    }
  }

  public func close() {
    listener.close()
  }
}

/// A console that could not be opened.
public struct ConsoleFault: Error, Sendable, CustomStringConvertible {
  /// As configured.
  public let address: String
  public let reason: String
  /// The address may not be used by this user; everything else is "unavailable".
  public let isPermission: Bool

  public var description: String { "the console cannot listen on \(address): \(reason)" }
}
