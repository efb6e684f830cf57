import Bytes
import COpenSSL
import Names

@testable import TLS

/// A client and a server with nothing but two queues between them.
final class Wire {
  let judge: RecordingJudge
  let toServer = ByteQueue()
  let toClient = ByteQueue()
  let client: TLSSession
  let server: TLSSession
  let atServer = ByteQueue()
  let atClient = ByteQueue()
  /// The most bytes that are lent at once.
  var chunk = Int.max

  init(
    parameters: TLSClientParameters = .modern, serverName: String = "a.test", offers: [String] = [],
    judge: RecordingJudge = RecordingJudge(), identities: [Identity] = [], ticket: TLSTicket? = nil,
    server context: TLSServerContext? = nil, leaf: Identity? = nil, accepts: [String] = [], scope: [UInt8] = [1],
    prepare: (OpaquePointer) -> Void = { _ in }
  ) throws {
    self.judge = judge
    client = try TLSClientContext(parameters).makeSession(
      serverName: Host(serverName), alpn: offers, judge: judge, identities: identities, ticket: ticket,
      outbound: toServer)
    server = try (context ?? TLSServerContext()).makeSession(
      leaf: leaf ?? Credentials.identity("server-ec"), alpn: accepts, resumptionScope: scope, outbound: toClient)
    try server.configure {
      prepare($0)
      return true
    }
  }

  /// Runs until both ends are done or nothing moves any more.
  func shake() throws(TLSFailure) {
    var isClientDone = try client.advance(UnsafeRawBufferPointer(start: nil, count: 0)).progress == .done
    var isServerDone = false
    while !(isClientDone && isServerDone) {
      let before = (toServer.count, toClient.count)
      if !isServerDone { isServerDone = try step(server, from: toServer) }
      if !isClientDone { isClientDone = try step(client, from: toClient) }
      if before == (0, 0), toServer.isEmpty, toClient.isEmpty { return }
    }
  }

  /// Runs the handshake and then opens at both ends until one of them fails; that failure.
  func failure() -> TLSFailure? {
    do {
      try shake()
      try settle()
      return nil
    } catch {
      return error
    }
  }

  /// Carries bytes and opens them at both ends until nothing moves.
  func settle() throws(TLSFailure) {
    repeat {
      try settle(server, from: toServer, into: atServer)
      try settle(client, from: toClient, into: atClient)
    } while !toServer.isEmpty
  }

  func settle(_ session: TLSSession, from queue: ByteQueue, into plaintext: ByteQueue) throws(TLSFailure) {
    while !queue.isEmpty {
      let used = try session.open(lent(queue), into: plaintext, limit: .max).used
      guard used > 0 else { return }
      queue.consume(used)
    }
  }

  private func step(_ session: TLSSession, from queue: ByteQueue) throws(TLSFailure) -> Bool {
    let (progress, used) = try session.advance(lent(queue))
    queue.consume(used)
    return progress == .done
  }

  private func lent(_ queue: ByteQueue) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: queue.bytes.prefix(chunk))
  }
}

extension TLSClientParameters {
  static let modern = TLSClientParameters(
    minimumVersion: .v12, maximumVersion: .v13,
    cipherSuites: ["ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256"], allowsLateAuthentication: false)

  static func only(_ version: TLSVersion, late: Bool = false) -> TLSClientParameters {
    var parameters = modern
    parameters.minimumVersion = version
    parameters.maximumVersion = version
    parameters.allowsLateAuthentication = late
    return parameters
  }
}

extension TLSSession {
  func sealText(_ text: String) throws {
    _ = try Array(text.utf8).withUnsafeBytes { try seal($0) }
  }
}

extension ByteQueue {
  var text: String { String(decoding: bytes, as: UTF8.self) }
}
