import Bytes
import Glibc
import Names
import TLS

/// A TLS server that hears damaged flights of a client: nothing that the client did not send may come out of it.
///
/// The first byte says whether the rest is heard as it is, or tells what to do to the bytes of a real client on their way.
enum TLSServerCheck {
  private final class Trusting: TLSPeerJudge {
    func judge(_ peer: PresentedPeer) -> Bool { true }
    func tookTicket(_ ticket: TLSTicket) {}
  }

  /// What both ends need; made once.
  private struct Scene: Sendable {
    let server: TLSServerContext
    let clients: [TLSClientContext]
    let leaf: Identity
    let host: Host

    init() throws {
      server = try TLSServerContext()
      clients = try [TLSVersion.v12, .v13].map { version in
        try TLSClientContext(
          TLSClientParameters(
            minimumVersion: version, maximumVersion: version, cipherSuites: ["ECDHE-ECDSA-AES128-GCM-SHA256"],
            allowsLateAuthentication: false))
      }
      leaf = try Identity(
        name: "a.test", certificates: Certificate.parse(pemOrDER: Self.file("server-ec.pem")),
        key: PrivateKey(pem: Self.file("server-ec.key"), passphrase: nil))
      host = try Host("a.test")
    }

    private static func file(_ name: String, from place: String = #filePath) -> [UInt8] {
      let tests = place.split(separator: "/").dropLast(3).joined(separator: "/")
      guard let stream = fopen("/\(tests)/TLSTests/Data/wire/\(name)", "r") else { return [] }
      defer { fclose(stream) }
      var bytes = [UInt8](repeating: 0, count: 16 << 10)
      let count = fread(&bytes, 1, bytes.count, stream)
      return Array(bytes.prefix(count))
    }
  }

  private static let scene = Result { try Scene() }

  @Sendable static func run(_ bytes: [UInt8]) throws(Complaint) {
    let scene: Scene
    do { scene = try self.scene.get() } catch { throw Complaint(description: "no scene: \(error)") }
    var dice = Dice(bytes)
    let first = dice.byte()
    do {
      if first & 1 == 0 {
        try hear(Array(bytes.dropFirst()), scene)
      } else {
        try talk(&dice, scene, client: scene.clients[Int(first >> 1) & 1])
      }
    } catch let error as Complaint {
      throw error
    } catch {
      // Whatever a session says of damaged bytes is an answer.
    }
  }

  private static func session(_ scene: Scene, into queue: ByteQueue) throws -> TLSSession {
    try scene.server.makeSession(leaf: scene.leaf, alpn: ["http/1.1"], resumptionScope: [1], outbound: queue)
  }

  private static func hear(_ bytes: [UInt8], _ scene: Scene) throws {
    let answers = ByteQueue()
    let plaintext = ByteQueue()
    let server = try session(scene, into: answers)
    defer { server.close() }
    var rest = bytes[...]
    while !rest.isEmpty {
      let lent = Array(rest.prefix(max(1, bytes.count / 3)))
      let (progress, used) = try lent.withUnsafeBytes { try server.advance($0) }
      try claim((0...lent.count).contains(used), "\(used) bytes used of \(lent.count)")
      try claim(progress != .done, "a handshake without a peer")
      guard used > 0 else { return }
      rest = rest.dropFirst(used)
    }
    _ = try [].withUnsafeBytes { try server.open($0, into: plaintext, limit: .max) }
  }

  /// Both ends talk in turns, and some bytes towards the server are changed, dropped, doubled or inserted.
  private static func talk(_ dice: inout Dice, _ scene: Scene, client context: TLSClientContext) throws {
    let (toServer, toClient) = (ByteQueue(), ByteQueue())
    let (atServer, atClient) = (ByteQueue(), ByteQueue())
    let judge = Trusting()
    let client = try context.makeSession(
      serverName: scene.host, alpn: ["http/1.1"], judge: judge, identities: [], ticket: nil, outbound: toServer)
    let server = try session(scene, into: toClient)
    let secret = Array("the only plaintext that the client ever sends".utf8)
    var isDamaged = false
    var (isClientDone, isServerDone, hasSent) = (false, false, false)
    _ = try [].withUnsafeBytes { try client.advance($0) }
    for _ in 0..<8 {
      var flight = Array(toServer.bytes)
      toServer.removeAll()
      let asSent = flight
      damage(&flight, &dice)
      isDamaged = isDamaged || flight != asSent
      var used = 0
      if !isServerDone {
        let step = try flight.withUnsafeBytes { try server.advance($0) }
        (isServerDone, used) = (step.progress == .done, step.used)
      }
      if isServerDone {
        _ = try flight[used...].withUnsafeBytes { try server.open($0, into: atServer, limit: .max) }
        try claim(secret.starts(with: atServer.bytes), "the server read what was never sent")
      }
      if !isClientDone {
        let step = try client.advance(toClient.bytes)
        toClient.consume(step.used)
        isClientDone = step.progress == .done
      }
      if isClientDone {
        toClient.consume(try client.open(toClient.bytes, into: atClient, limit: .max).used)
        if !hasSent { hasSent = try secret.withUnsafeBytes { try client.seal($0) } == secret.count }
      }
    }
    try claim(isDamaged || atServer.count == secret.count, "undamaged plaintext did not arrive")
  }

  private static func damage(_ flight: inout [UInt8], _ dice: inout Dice) {
    guard !dice.isEmpty, !flight.isEmpty else { return }
    for _ in 0..<dice.byte() & 3 {
      let place = dice.word() % max(1, flight.count)
      switch dice.byte() & 7 {
      case 0 where place < flight.count: flight.remove(at: place)
      case 1: flight.insert(contentsOf: flight.prefix(place), at: min(place, flight.count))
      case 2: flight.insert(contentsOf: dice.bytes(Int(dice.byte() & 0x1F)), at: min(place, flight.count))
      case 3: flight.removeLast(flight.count - min(place, flight.count))
      default: if place < flight.count { flight[place] ^= dice.byte() }
      }
    }
  }
}
