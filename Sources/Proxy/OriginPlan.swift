import Configuration
import EventLoop
import Names
import Policy
import TLS

/// What this loop knows of one destination under one policy: the decision, what the origin must satisfy, how to get there, and
/// the connections and tickets that may be used for it.
///
/// Connections of one plan are interchangeable; those of two plans never are, so nothing is shared across policies, trust
/// policies, identities or ways. Confined to its loop; a reload keeps it only if it would be made anew just as it is.
final class OriginPlan {
  struct Key: Hashable {
    var scheme: Scheme
    var host: Host
    var port: UInt16
    var context: Context
    var lane: ObjectIdentifier
    /// The target guard holds for this client (it is not on loopback).
    var isGuarded: Bool
    /// Where to connect when the name came from SNI.
    var dialled: IPAddress?
  }

  enum Destination: Equatable {
    /// Known addresses: a literal, what `upstream.resolve` or SNI lead to.
    case addresses([SocketAddress])
    case name(String, port: UInt16)
  }

  /// What the origin chose when it was last asked.
  enum Spoken { case unknown, http1, http2, http1Only }

  private(set) var key: Key
  /// `host:port` as people write it; the port only where it is not the scheme's own.
  let authorityText: String
  private(set) var generation: Generation
  private(set) var lane: Lane
  let decision: Decision
  /// What an https origin must satisfy; nil for plain HTTP.
  let requirements: OriginRequirements?
  let route: OriginRoute
  /// Where to connect first: the origin, or the proxy on the way to it.
  let destination: Destination
  let identities: [Identity]
  /// The addresses that the rule lets through the target guard.
  let allowedAddresses: [CIDR]
  let parameters: TLSClientParameters

  /// For the cache of plans: asked for since it was last full.
  var wasAskedFor = false
  /// Idle connections, the most recently used one last.
  private(set) var idle: [OriginConnection] = []
  /// The newest dial that is under way.
  var attempt: OriginAttempt?
  /// Connections that many exchanges share; those that cannot take another one stay until their streams end.
  private var shared: [HTTP2Origin] = []
  private var spoken = Spoken.unknown
  /// Whether the origin asks for a certificate late; only where there are identities.
  private var lateIdentity = LateIdentity()
  /// The origin speaks HTTP/2 without the extended CONNECT.
  private var declinesTunnels = false
  /// The origin does not speak HTTP/1.1.
  private(set) var refusesHTTP1 = false
  private var tickets: [TLSTicket] = []
  /// Why handshakes that ended in this way fail, as probes found out. Few: ends that point at App Transport Security are.
  var explained: [HandshakeFault: TrustVerdict] = [:]
  /// For the cache of pictures, made when it first asks.
  private(set) lazy var pictureScope = makePictureScope()
  private(set) lazy var pictureDecision = makePictureDecision()
  var hasPictures = false

  private static let ticketLimit = 4
  private static let idleLimit = 128

  init(key: Key, lane: Lane, generation: Generation) {
    self.key = key
    authorityText =
      key.port == key.scheme.defaultPort ? key.host.bracketed : "\(key.host.bracketed):\(key.port)"
    self.lane = lane
    self.generation = generation
    let policy = lane.policy
    decision = policy.decide(
      RequestFacts(scheme: key.scheme, host: key.host, port: key.port, context: key.context), tracing: .off)
    let requirements =
      key.scheme.isSecure
      ? policy.requirements(host: key.host, port: key.port, context: key.context) : nil
    self.requirements = requirements
    let upstream = generation.configuration.upstream
    route = generation.configuration.route(
      to: HostPort(host: key.host, port: key.port), lane: lane, address: key.dialled)
    destination = Self.destination(key, route, upstream.resolve)
    identities = (requirements?.identityNames ?? []).compactMap { lane.identities[$0] }
    allowedAddresses = policy.rules.attributes(host: key.host, port: key.port)?.allowAddresses ?? []
    let offer = requirements?.offer
    parameters = TLSClientParameters(
      minimumVersion: offer?.minimum ?? .v12,
      maximumVersion: offer?.maximum ?? .v13,
      cipherSuites: offer?.cipherSuites ?? [], allowsLateAuthentication: !identities.isEmpty,
      signatureAlgorithms: offer?.signatureAlgorithms ?? [])
  }

  /// For `move(to:)`: nothing that was made from the generation has changed.
  func serve(_ generation: Generation, lane: Lane, as key: Key) {
    self.generation = generation
    self.lane = lane
    self.key = key
  }

  /// Whether the target guard keeps clients of this plan from that address. What `upstream.resolve` names is exempt.
  func isProhibited(_ address: IPAddress) -> Bool {
    if case .mapped = route { return false }
    guard key.isGuarded else { return false }
    return generation.targetGuard.prohibits(address, allowed: allowedAddresses)
  }

  var connectTimeout: Duration { generation.configuration.upstream.connectTimeout }

  // MARK: idle connections

  /// The connection that was used last and is still good. A WebSocket needs one that leads to the origin itself.
  func takeIdle(for webSocket: WebSocketOpening?) -> OriginConnection? {
    if webSocket != nil, forwarding(on: .full) != nil { return nil }
    while let connection = idle.popLast() {
      if connection.isReusable { return connection }
      connection.close()
    }
    return nil
  }

  func putIdle(_ connection: OriginConnection) {
    if idle.count >= Self.idleLimit { idle.removeFirst().close() }
    idle.append(connection)
  }

  func forget(_ connection: OriginConnection) {
    idle.removeAll { $0 === connection }
  }

  func closeIdle() {
    let all = idle
    idle = []
    for connection in all { connection.close() }
    for origin in shared { origin.retire() }
  }

  // MARK: HTTP/2

  /// Whether HTTP/2 is offered to the origin. Where there are identities, until it wants to ask for one late.
  var offersHTTP2: Bool {
    spoken != .http1Only && generation.configuration.upstream.http2
      && (requirements?.http2 ?? false)
  }

  func learned(_ protocolName: Spoken) {
    if spoken != .http1Only { spoken = protocolName }
  }

  /// The origin asked for HTTP/1.1 (HTTP_1_1_REQUIRED).
  func requireHTTP1() {
    spoken = .http1Only
    // Those who wait for it keep it; nobody joins a dial that may end in HTTP/2.
    attempt = nil
  }

  /// An origin answered over HTTP/2.
  /// - Returns: whether it may want a certificate that it can ask for over HTTP/1.1 only, which is spoken from now on.
  func wantsHTTP1(after status: Int, wasAsked: Bool) -> Bool {
    guard !identities.isEmpty, lateIdentity.answeredOverHTTP2(status: status, wasAsked: wasAsked) else { return false }
    requireHTTP1()
    return true
  }

  /// An origin answered over HTTP/1.1, which may have been tried in vain.
  func answeredOverHTTP1(_ status: Int, wasAsked: Bool) {
    if lateIdentity.answeredOverHTTP1(status: status, wasAsked: wasAsked) { spoken = .unknown }
  }

  /// The origin offers no extended CONNECT: a WebSocket is asked for over HTTP/1.1.
  /// - Returns: false: it does not speak that.
  func declineTunnels() -> Bool {
    declinesTunnels = true
    return !refusesHTTP1
  }

  /// The origin speaks no HTTP/1.1: a WebSocket is asked for over HTTP/2.
  /// - Returns: false: that was known, or is of no use.
  func refuseHTTP1() -> Bool {
    defer { refusesHTTP1 = true }
    return !refusesHTTP1 && offersHTTP2
  }

  /// The layer on which an exchange asks. A WebSocket goes the way that it came, if the origin goes along.
  func layer(for webSocket: WebSocketOpening?) -> OriginAttempt.Layer {
    switch webSocket {
    case nil: .full
    case _ where refusesHTTP1: .full
    case .upgrade: .http1
    case .extendedConnect: offersHTTP2 && !declinesTunnels && spoken != .http1 ? .full : .http1
    }
  }

  func share(_ origin: HTTP2Origin) {
    shared.append(origin)
  }

  func forget(_ origin: HTTP2Origin) {
    shared.removeAll { $0 === origin }
  }

  /// A connection that takes one more exchange. If all that would are doubted, they are asked for a sign of life and there is none:
  /// the caller dials anew meanwhile, and whichever is there first serves.
  /// - Parameter refusing: connections that did not take the request before.
  func sharedOrigin(besides refusing: [HTTP2Origin] = []) -> HTTP2Origin? {
    guard spoken != .http1Only else { return nil }
    for origin in shared.reversed() where origin.acceptsStreams && !origin.isDoubtful {
      if refusing.isEmpty || !refusing.contains(where: { $0 === origin }) { return origin }
    }
    for origin in shared where origin.acceptsStreams && origin.isDoubtful { origin.askForProof() }
    return nil
  }

  /// A connection that was doubted is alive.
  func proved(_ origin: HTTP2Origin) {
    if origin.acceptsStreams { attempt?.yield(to: origin) }
  }

  /// A dial that one more exchange may wait for: one that nobody waits for, or one whose connection will probably be shared. Whoever
  /// wants HTTP/1.1 may be disappointed.
  func attemptToJoin(_ layer: OriginAttempt.Layer) -> OriginAttempt? {
    guard let attempt, attempt.outcome == nil else { return nil }
    if layer == .http1 {
      return attempt.isUnclaimed && spoken != .http2 && forwarding(on: .full) == nil ? attempt : nil
    }
    return attempt.isUnclaimed || (offersHTTP2 && spoken != .http1) ? attempt : nil
  }

  // MARK: tickets

  /// A ticket for one handshake. It is gone from here: TLS 1.3 tickets work once.
  func takeTicket() -> TLSTicket? { tickets.popLast() }

  func putTicket(_ ticket: TLSTicket) {
    if tickets.count >= Self.ticketLimit { tickets.removeFirst() }
    tickets.append(ticket)
  }
}
