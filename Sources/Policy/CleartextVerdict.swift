import Names

/// Whether App Transport Security permits plain HTTP to a destination, and why.
///
/// Cheap to make: the sentence is put together only when it is asked for.
public struct CleartextVerdict: Sendable {
  let ground: CleartextGround
  let host: Host
  let profile: ATSProfile

  public var isPermitted: Bool { ground.permits }

  /// One sentence that names the key that decided.
  public var reason: String {
    switch ground {
    case .beforeATS: profile.reasonToHaveNoATS
    case .exception(let exception): reason(exception)
    case .local(byKey: true): "\(ATSKey.localNetworking) is true and the destination is local"
    case .local(byKey: false): "the destination is local and \(ATSKey.localNetworking) is absent"
    case .mediaKey: "\(ATSKey.media) is true and the request is for media"
    case .webContentKey: "\(ATSKey.webContent) is true and the request is web content"
    case .arbitraryLoads: "\(ATSKey.arbitraryLoads) is true and no other key limits it"
    case .localDenied: "the destination is local, but \(ATSKey.localNetworking) is false"
    case .neutralised(let key):
      "\(ATSKey.arbitraryLoads) is true, but does not count since \(key) is present"
    case .denied: "no key of NSAppTransportSecurity permits plain HTTP to this destination"
    }
  }

  private func reason(_ exception: DomainException) -> String {
    let place = exception.place(for: host)
    return exception.permitsPlainHTTP
      ? "\(place) has \(ATSKey.insecureHTTP)"
      : "\(place) does not have \(ATSKey.insecureHTTP), and global keys do not apply to a listed domain"
  }
}

/// What decided about plain HTTP (spec A.5, `tlsRequired`).
enum CleartextGround: Sendable {
  case beforeATS
  case exception(DomainException)
  /// A local destination, with the key absent or true.
  case local(byKey: Bool)
  case mediaKey
  case webContentKey
  case arbitraryLoads
  /// Local, but the key says that local destinations need TLS too.
  case localDenied
  /// `NSAllowsArbitraryLoads` is true, but another key is present.
  case neutralised(by: String)
  case denied

  var permits: Bool {
    switch self {
    case .beforeATS, .local, .mediaKey, .webContentKey, .arbitraryLoads: true
    case .exception(let exception): exception.permitsPlainHTTP
    case .localDenied, .neutralised, .denied: false
    }
  }
}

extension DomainException {
  /// The key, and how it comes to cover a host that it does not name.
  func place(for host: Host) -> String {
    let place = isBuiltIn ? "Apple's built-in exception for \(key)" : "\(ATSKey.exceptionDomains).\(key)"
    guard let depth = depth(of: host), depth > 0 else { return place }
    return "\(place) (\(ATSKey.subdomains), \(depth) \(depth == 1 ? "label" : "labels") above the host)"
  }

  /// By how many labels the host is longer than the name of the entry; nil for addresses.
  func depth(of host: Host) -> Int? {
    guard host.address == nil, let name = try? Host(key), name.address == nil else { return nil }
    return host.labels.count - name.labels.count
  }
}

extension ATSProfile {
  fileprivate var reasonToHaveNoATS: String {
    if let sdk, !sdk.hasATS {
      return "the app was built with the SDK \(sdk.name), which App Transport Security exempts"
    }
    return "OS \(os) is older than App Transport Security"
  }
}
