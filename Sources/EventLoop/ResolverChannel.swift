import CCares
import CLinux
import Glibc

/// One c-ares channel, driven by a loop's epoll set and a timer. Confined to the loop.
///
/// The queries keep it alive, so its owner may forget it while some are pending; `close` ends them.
final class ResolverChannel {
  /// The outcome of a query, and for how many seconds it holds; nil if it says nothing about the next query.
  typealias Answer = (outcome: ResolveToken.Outcome, lifetime: Int?)

  /// A query's way through c-ares, which holds one reference until it calls back.
  private final class Query {
    let channel: ResolverChannel
    let done: (Answer) -> Void

    init(channel: ResolverChannel, done: @escaping (Answer) -> Void) {
      self.channel = channel
      self.done = done
    }
  }

  /// Three rounds of 1.25, 2.5 and 5 s at most: a lost packet is no failure, and with one server that answers for one
  /// family only, the whole stays below the 10 s that a connection has by default.
  private static let firstTimeoutMilliseconds: Int32 = 1250
  private static let tries: Int32 = 3

  /// c-ares wants its library initialised once in a process; on Linux that cannot fail.
  private static let libraryStatus = ares_library_init(ARES_LIB_INIT_ALL)

  private let loop: EventLoop
  private var handle: ares_channel?
  private let sockets: ResolverSockets
  private var timer: Timer?
  private var isInside = false
  private var isCloseWanted = false
  private(set) var pendingCount = 0

  /// Reads resolv.conf and its relatives.
  ///
  /// - Parameter servers: "address:port" in place of those of resolv.conf; empty for those.
  init(loop: EventLoop, servers: [String]) throws(ResolveFault) {
    self.loop = loop
    sockets = ResolverSockets(loop: loop)
    var options = ares_options()
    options.timeout = Self.firstTimeoutMilliseconds
    options.tries = Self.tries
    options.sock_state_cb_data = Unmanaged.passUnretained(sockets).toOpaque()
    options.sock_state_cb = { data, descriptor, readable, writable in
      guard let data else { return }
      // The channel owns this object and closes c-ares before it lets go of it.
      Unmanaged<ResolverSockets>.fromOpaque(data).takeUnretainedValue()
        .watch(descriptor, readable: readable != 0, writable: writable != 0)
    }
    let mask = ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES | ARES_OPT_SOCK_STATE_CB
    var status = Self.libraryStatus
    if status == ARES_SUCCESS { status = ares_init_options(&handle, &options, Int32(mask)) }
    if status == ARES_SUCCESS, !servers.isEmpty {
      status = ares_set_servers_ports_csv(handle, servers.joined(separator: ","))
    }
    guard status == ARES_SUCCESS else { throw .failed(Self.text(status)) }
    sockets.channel = self
    timer = Timer(loop: loop) { [weak self] in self?.process(readable: -1, writable: -1) }
  }

  deinit {
    // Nothing is pending here: each query holds a reference.
    if let handle { ares_destroy(handle) }
  }

  /// Asks for the IPv4 and IPv6 addresses of `name`, in /etc/hosts first if the system says so, sorted by RFC 6724.
  ///
  /// - Parameter done: possibly called inside this call. It must not call the channel.
  func query(_ name: String, _ done: @escaping (Answer) -> Void) {
    guard let handle, !isCloseWanted else {
      done((.failure(.failed("the resolver is closed")), nil))
      return
    }
    pendingCount += 1
    var hints = ares_addrinfo_hints()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    let query = Unmanaged.passRetained(Query(channel: self, done: done))
    enter {
      ares_getaddrinfo(
        handle, name, nil, &hints,
        { argument, status, _, result in
          guard let argument else { return }
          let query = Unmanaged<Query>.fromOpaque(argument).takeRetainedValue()
          query.channel.pendingCount -= 1
          query.done(ResolverChannel.answer(status, result))
          if let result { ares_freeaddrinfo(result) }
        }, query.toOpaque())
    }
  }

  /// c-ares reads and writes, and looks at its clock. -1 stands for no descriptor.
  func process(readable: Int32, writable: Int32) {
    guard let handle else { return }
    enter { ares_process_fd(handle, readable, writable) }
  }

  /// Ends all queries: their callbacks get a failure.
  func close() {
    isCloseWanted = true
    // Not allowed inside c-ares' own callbacks.
    guard !isInside, let handle else { return }
    self.handle = nil
    isInside = true
    ares_destroy(handle)
    isInside = false
    timer?.invalidate()
    timer = nil
    sockets.channel = nil
  }

  private func enter(_ body: () -> Void) {
    let wasInside = isInside
    isInside = true
    body()
    isInside = wasInside
    guard !wasInside else { return }
    if isCloseWanted {
      close()
    } else {
      armTimer()
    }
  }

  private func armTimer() {
    guard let handle else { return }
    var room = timeval()
    guard let next = ares_timeout(handle, nil, &room) else {
      timer?.cancel()
      return
    }
    timer?.start(after: .seconds(next.pointee.tv_sec) + .microseconds(next.pointee.tv_usec))
  }

  // MARK: Answers

  private static func answer(_ status: Int32, _ result: UnsafeMutablePointer<ares_addrinfo>?) -> Answer {
    switch status {
    case ARES_SUCCESS: break
    case ARES_ENOTFOUND, ARES_ENODATA, ARES_ENONAME, ARES_EBADNAME:
      return (.failure(.notFound), 1)
    case ARES_ETIMEOUT: return (.failure(.timeout), nil)
    case ARES_EDESTRUCTION, ARES_ECANCELLED: return (.failure(.failed("the resolver is closed")), nil)
    default: return (.failure(.failed(text(status))), 1)
    }
    var addresses: [SocketAddress] = []
    var lifetime = Int32.max
    var node = result?.pointee.nodes
    while let current = node?.pointee {
      let bytes = UnsafeRawBufferPointer(start: current.ai_addr, count: Int(current.ai_addrlen))
      if let address = SocketAddress(kernel: bytes, length: bytes.count), !addresses.contains(address) {
        addresses.append(address)
        lifetime = min(lifetime, current.ai_ttl)
      }
      node = current.ai_next
    }
    return addresses.isEmpty ? (.failure(.notFound), 1) : (.success(addresses), Int(lifetime))
  }

  private static func text(_ status: Int32) -> String {
    ares_strerror(status).map { String(cString: $0) } ?? "c-ares error \(status)"
  }
}
