import EventLoop
import Records

/// The site's own listener on its loop: its connections, and who is served. Confined to the loop.
final class OnboardingWorker {
  let loop: EventLoop
  private let log: Log
  private var terms: OnboardingTerms?
  private var connections: [ObjectIdentifier: OnboardingConnection] = [:]
  private var counts: [FailureLimit.Origin: Int] = [:]
  private var requests = RequestLimit()
  private var strangers: Set<String> = []

  init(loop: EventLoop, log: Log) {
    self.loop = loop
    self.log = log
  }

  /// Whom to serve from now on; nil: nobody.
  func use(_ terms: OnboardingTerms?) {
    self.terms = terms
    guard terms == nil else { return }
    for connection in Array(connections.values) { connection.close() }
  }

  func accept(_ descriptor: Int32, peer: SocketAddress) {
    // A socket that cannot be registered has been closed.
    guard let socket = try? Socket(adopting: descriptor, on: loop) else { return }
    let origin = FailureLimit.Origin(peer)
    guard isServed(peer), connections.count < OnboardingLimits.connections,
      counts[origin, default: 0] < OnboardingLimits.connectionsOfClient
    else { return socket.close() }
    let connection = OnboardingConnection(socket, client: peer, worker: self)
    connections[ObjectIdentifier(connection)] = connection
    counts[origin, default: 0] += 1
    connection.start()
  }

  func connectionEnded(_ connection: OnboardingConnection) {
    guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
    let origin = FailureLimit.Origin(connection.client)
    let count = counts[origin, default: 0] - 1
    counts[origin] = count > 0 ? count : nil
  }

  /// As at the proxy: whoever is not admitted is closed without an answer, and named once in the log.
  private func isServed(_ client: SocketAddress) -> Bool {
    guard let terms else { return false }
    guard !terms.admits(client) else { return true }
    let address = client.ipText
    if strangers.count >= OnboardingLimits.clients { strangers.removeAll() }
    guard strangers.insert(address).inserted else { return false }
    log.write(
      LogEvent(
        .warning, "client-refused",
        [
          ("client", .text(address)),
          ("detail", .text("access.clients does not admit it; to admit it add \"\(address)\" there")),
        ]))
    return false
  }

  // MARK: requests

  func admitsRequest(of client: SocketAddress) -> Bool {
    requests.admits(FailureLimit.Origin(client), now: loop.now)
  }

  /// nil: a reload no longer admits this client.
  func answer(_ request: InternalRequest, client: SocketAddress, local: SocketAddress?) -> InternalAnswer? {
    guard let terms, terms.admits(client) else { return nil }
    return terms.answer(request, client: client, local: local)
  }
}
