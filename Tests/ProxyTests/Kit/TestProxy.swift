import Bytes
import Configuration
import EventLoop
import Foundation
import Glibc
import HTTP
import Records
import Synchronization
import TLS
import Testing

@testable import Proxy

/// What a name may be mapped to.
protocol Destination: Sendable {
  /// `ip:port`.
  var address: String { get }
}

extension Origin: Destination {}
extension ClosedPort: Destination {}

/// A whole proxy in this process, with its log at hand.
final class TestProxy: Sendable {
  let server: ProxyServer
  let log: Log
  private let records: Peer
  private let folder: String
  private let writeEnd: Int32
  private let clients = Mutex<[Peer]>([])

  struct Parts {
    var site: any InternalSite = EchoingSite()
    /// Takes records beside the log.
    var recorder: (any ExchangeRecorder)?
    var captureByteLimit = 64 << 20
    var interfaces: ProxyServer.Interfaces = SocketAddress.ofThisMachine
  }

  /// Runs `body` with a proxy, and ends it.
  ///
  /// - Parameters:
  ///   - origins: where the proxy connects for `host:port`.
  ///   - listeners: the value of `listeners`.
  ///   - anchors: `upstream.anchors`.
  ///   - upstream: further members of `upstream`.
  ///   - more: further members of the configuration.
  ///   - files: what stands beside the configuration.
  ///   - parts: what else the proxy is made of.
  static func run<T>(
    _ origins: [String: any Destination] = [:], listeners: String = "[{ address: '127.0.0.1:0' }]",
    anchors: String = "'origins.pem'", upstream: String = "",
    more: String = "", files: [String: String] = [:], parts: Parts = Parts(), _ body: (TestProxy) async throws -> T
  ) async throws -> T {
    try await withTaskExecutorPreference(OwnThread.shared) {
      await Gate.proxies.enter()
      do {
        let proxy = try await TestProxy(files, parts) { folder in
          try Self.configuration(
            origins, listeners: listeners, anchors: anchors, upstream: upstream, more: more, folder: folder)
        }
        do {
          _ = try proxy.server.start()
          let result = try await body(proxy)
          await proxy.stop()
          await Gate.proxies.leave()
          return result
        } catch {
          await proxy.stop()
          throw error
        }
      } catch {
        await Gate.proxies.leave()
        throw error
      }
    }
  }

  private init(
    _ files: [String: String], _ parts: Parts, _ configuration: (String) throws -> Configuration
  ) async throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("pinwarden-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var all = files
    all["origins.pem"] = try PKI.origins.get().certificate.pem
    for (name, text) in all { try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8) }
    // As the daemon does: the log may outlive its reader.
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    writeEnd = ends[1]
    log = Log(format: .json, level: .info, descriptor: ends[1])
    records = try await Kit.adopt(ends[0])
    server = try ProxyServer(
      configuration: try configuration(folder), authority: try PKI.authority(), site: parts.site, log: log,
      recorder: parts.recorder, captureByteLimit: parts.captureByteLimit, loopCount: 1, interfaces: parts.interfaces)
  }

  /// Makes a configuration for this proxy.
  func configuration(
    _ origins: [String: any Destination], listeners: String = "[{ address: '127.0.0.1:0' }]", upstream: String = "",
    more: String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Configuration {
    try Self.configuration(
      origins, listeners: listeners, upstream: upstream, more: more, folder: folder, sourceLocation: sourceLocation)
  }

  private static func configuration(
    _ origins: [String: any Destination], listeners: String, anchors: String = "'origins.pem'", upstream: String,
    more: String, folder: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Configuration {
    let resolve = origins.map { "'\($0.key)': '\($0.value.address)'" }.joined(separator: ", ")
    let text = """
      { listeners: \(listeners), console: null, store: null, stateDirectory: '.',
        upstream: { anchors: \(anchors), resolve: { \(resolve) }, \(upstream) }, \(more) }
      """
    let loaded = ConfigurationLoader.load(text: text, folder: folder, environment: [:])
    return try #require(
      loaded.configuration, "\(loaded.findings.map(\.text).joined(separator: "\n"))", sourceLocation: sourceLocation)
  }

  /// Serves another configuration.
  func reload(_ configuration: Configuration) async throws {
    try await server.reload(configuration, authority: try PKI.authority())
  }

  /// Ends the proxy as a signal would.
  func drain() async {
    await server.drain()
  }

  private func stop() async {
    // Otherwise whatever a test left running would be waited for.
    for client in clients.withLock({ $0 }) { await client.reset() }
    await server.drain()
    // What is still to be written must not reach whoever gets the descriptor next.
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { [log] in
        log.flush(milliseconds: 5_000)
        continuation.resume()
      }
    }
    await records.close()
    try? FileManager.default.removeItem(atPath: folder)
  }

  deinit {
    Glibc.close(writeEnd)
  }

  // MARK: clients

  /// The address of a listener.
  func address(_ index: Int = 0) -> String { server.listening[index].address }

  func connect(_ listener: Int = 0) async throws -> Peer {
    let client = try await Kit.connect(address(listener))
    clients.withLock { $0.append(client) }
    return client
  }

  /// A client in a tunnel, before any byte in it.
  func tunnel(_ target: String = "a.test:443", fields: String = "", sourceLocation: SourceLocation = #_sourceLocation)
    async throws -> Peer
  {
    let client = try await connect()
    await client.send("CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n\(fields)\r\n")
    let answer = try await client.response(to: "CONNECT", sourceLocation: sourceLocation)
    try #require(answer.status == 200, "\(answer.startLine) \(answer.text)", sourceLocation: sourceLocation)
    return client
  }

  /// A client in TLS inside an intercepted tunnel.
  func secured(_ name: String = "a.test", port: Int = 443, sourceLocation: SourceLocation = #_sourceLocation)
    async throws -> Peer
  {
    let client = try await tunnel("\(name):\(port)", sourceLocation: sourceLocation)
    let end = try await client.secure(name)
    try #require(end == nil, "the handshake failed: \(String(describing: end))", sourceLocation: sourceLocation)
    return client
  }

  /// A client that speaks HTTP/2 inside an intercepted tunnel.
  func http2(
    _ name: String = "a.test", _ change: @escaping @Sendable (inout HTTP2Settings) -> Void = { _ in },
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> HTTP2Peer {
    let client = try await tunnel("\(name):443", sourceLocation: sourceLocation)
    let end = try await client.secure(name, alpn: ["h2", "http/1.1"])
    try #require(end == nil, "the handshake failed: \(String(describing: end))", sourceLocation: sourceLocation)
    return try await HTTP2Peer(client, .client, change, sourceLocation: sourceLocation)
  }

  // MARK: records

  /// The next record of that kind; others before it are dropped.
  func record(
    _ event: String = "exchange", within limit: Duration = Peer.patience,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Record {
    while true {
      let isThere = await records.wait(limit) { $0.received.bytes.contains(10) }
      try #require(isThere, "no record of \(event)", sourceLocation: sourceLocation)
      let line = await records.perform { wire in
        let line = Array(wire.received.bytes.prefix { $0 != 10 })
        wire.received.consume(line.count + 1)
        return line
      }
      let record = try Record(line)
      if record["event"] == event { return record }
    }
  }

  /// Everything that was logged and not taken; after a drain.
  func allRecords() async throws -> [Record] {
    log.flush(milliseconds: 500)
    return try await records.peek().split(separator: "\n").map { try Record(Array($0.utf8)) }
  }

  /// Whether no record of a request or tunnel waits.
  func hasNoMoreRecords() async -> Bool {
    let rest = await records.peek()
    return !rest.contains("\"event\":\"exchange\"") && !rest.contains("\"event\":\"tunnel\"")
  }
}

/// One line of the log.
struct Record: CustomStringConvertible {
  let description: String
  private let object: [String: Any]

  init(_ line: [UInt8]) throws {
    description = String(decoding: line, as: UTF8.self)
    object = try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
  }

  /// The member at a path such as `origin.tls.version`, as text; nil where there is none, or null.
  subscript(path: String) -> String? {
    var value: Any? = object
    for key in path.split(separator: ".") { value = (value as? [String: Any])?[String(key)] }
    guard let value, !(value is NSNull) else { return nil }
    return "\(value)"
  }

  /// A member that is true or false.
  func flag(_ path: String) -> Bool {
    self[path].map { ["1", "true"].contains($0) } ?? false
  }
}
