import Dispatch

/// Finds the addresses of names for one loop, and is confined to it.
///
/// DNS and /etc/hosts go through c-ares inside the loop, so a name server that is silent holds up only the names that
/// it was asked for. Answers are kept for their time to live (1 s ... 300 s; that there is none, 1 s), and callers who
/// want the same name at once share one query. Call `close` before letting go of a resolver that may have queries under
/// way.
public final class Resolver {
  /// What c-ares reads its name servers from.
  static let systemConfiguration = "/etc/resolv.conf"
  private static let cacheCapacity = 4096
  private static let lookupLimit = 4096
  /// Answers of `getaddrinfo` have no time to live.
  private static let localLifetime = 10

  /// For `.local` names (RFC 6762), which `getaddrinfo` may block on for seconds. All loops share it; more than it
  /// takes fail at once.
  private static let localWork = WorkQueue(label: "resolver-local", width: 4, qos: .utility, capacity: 256)

  private let loop: EventLoop
  private let servers: [String]
  private let configurationPath: String
  private var channel: ResolverChannel?
  private var configuration: FileStamp?
  private var nextConfigurationLook: UInt64 = 0
  private var cache = ResolverCache(capacity: cacheCapacity)
  private var preferences = ResolverPreferences()
  private var lookups: [String: Lookup] = [:]
  private var isClosed = false

  /// Who waits for a name that is being looked up.
  private struct Lookup {
    var waiters: [ResolveToken]
    var compactionCount = 64

    mutating func join(_ waiter: ResolveToken) {
      if waiters.count >= compactionCount {
        waiters.removeAll { !$0.isWaiting }
        compactionCount = max(64, waiters.count * 2)
      }
      waiters.append(waiter)
    }
  }

  public convenience init(loop: EventLoop) {
    self.init(loop: loop, servers: [], configurationPath: Self.systemConfiguration)
  }

  /// - Parameters:
  ///   - servers: "address:port" of name servers to ask in place of the system's.
  ///   - configurationPath: the file whose change makes the resolver read its configuration anew.
  init(loop: EventLoop, servers: [String], configurationPath: String = Resolver.systemConfiguration) {
    self.loop = loop
    self.servers = servers
    self.configurationPath = configurationPath
  }

  /// Finds the addresses of `name`, a host in A-label form without brackets; address literals are answered as they are.
  ///
  /// `localhost` and names below it are loopback, `.invalid` and `.onion` do not exist (RFC 6761, RFC 7686), `.local`
  /// is left to the system.
  ///
  /// - Parameters:
  ///   - timeout: after this the callback gets `timeout`, whatever the name servers do.
  ///   - done: called once on the loop, never inside this call and not after the token is cancelled. Gets at least one
  ///     address, sorted by RFC 6724 but for one that worked before, all with port 0.
  @discardableResult
  public func resolve(
    _ name: String, timeout: Duration, _ done: @escaping (Result<[SocketAddress], ResolveFault>) -> Void
  ) -> ResolveToken {
    loop.assertIsCurrent()
    let token = ResolveToken(done)
    if let known = knownOutcome(for: name) {
      let outcome = preferences.order(known, for: name)
      loop.performSoon { token.finish(outcome) }
      return token
    }
    token.startTimer(after: timeout, on: loop)
    if lookups[name] != nil {
      lookups[name]?.join(token)
    } else {
      lookups[name] = Lookup(waiters: [token])
      begin(name)
    }
    return token
  }

  /// An address of a name with several could be connected to: it comes first from now on, as long as the name has it
  /// (RFC 8305 section 4 lets what is known of earlier connections decide).
  public func worked(_ address: SocketAddress, for name: String) {
    loop.assertIsCurrent()
    preferences.remember(address.with(port: 0), for: name)
  }

  /// Ends all queries, whose callbacks get a failure, and makes new ones fail.
  public func close() {
    loop.assertIsCurrent()
    isClosed = true
    let channel = channel
    self.channel = nil
    channel?.close()
    for name in Array(lookups.keys) { finish(name, (.failure(.failed("the resolver is closed")), nil)) }
  }

  /// What can be said without asking anyone.
  private func knownOutcome(for name: String) -> ResolveToken.Outcome? {
    if let address = SocketAddress(literal: name, port: 0) { return .success([address]) }
    switch SpecialName(name) {
    case .loopback: return .success(SpecialName.loopbackAddresses)
    case .nonexistent: return .failure(.notFound)
    case .local, .ordinary: break
    }
    if let outcome = cache.outcome(for: name, at: loop.now) { return outcome }
    if isClosed { return .failure(.failed("the resolver is closed")) }
    if lookups[name] == nil, lookups.count >= Self.lookupLimit {
      return .failure(.failed("too many names are being looked up"))
    }
    return nil
  }

  private func begin(_ name: String) {
    guard SpecialName(name) != .local else {
      beginLocal(name)
      return
    }
    do throws(ResolveFault) {
      try currentChannel().query(name) { [weak self] answer in self?.finish(name, answer) }
    } catch {
      finish(name, (.failure(error), nil))
    }
  }

  private func beginLocal(_ name: String) {
    let this = LoopBound(self, on: loop)
    let isSubmitted = Self.localWork.submit {
      let outcome = SystemNames.addresses(of: name)
      this.onLoop { $0.finish(name, (outcome, Self.localLifetime)) }
    }
    if !isSubmitted { finish(name, (.failure(.failed("too many names are being looked up")), nil)) }
  }

  /// The channel, made anew if the system's configuration has changed. The old one goes when its last query has ended.
  private func currentChannel() throws(ResolveFault) -> ResolverChannel {
    if loop.now >= nextConfigurationLook {
      nextConfigurationLook = loop.now + 1_000_000_000
      let stamp = FileStamp(path: configurationPath)
      if stamp != configuration { channel = nil }
      configuration = stamp
    }
    if let channel { return channel }
    let new = try ResolverChannel(loop: loop, servers: servers)
    channel = new
    return new
  }

  /// Possibly inside `resolve` and inside c-ares, so the callers hear of it later.
  private func finish(_ name: String, _ answer: ResolverChannel.Answer) {
    guard let lookup = lookups.removeValue(forKey: name) else { return }
    if let lifetime = answer.lifetime {
      cache.insert(answer.outcome, for: name, lifetime: lifetime, at: loop.now)
    }
    let outcome = preferences.order(answer.outcome, for: name)
    loop.performSoon {
      for waiter in lookup.waiters { waiter.finish(outcome) }
    }
  }
}
