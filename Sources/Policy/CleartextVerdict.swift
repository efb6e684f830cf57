/// Whether App Transport Security permits plain HTTP to a destination, and why.
///
/// Cheap to make: the sentence is put together only when it is asked for.
public struct CleartextVerdict: Sendable {
  let ground: CleartextGround

  public var isPermitted: Bool { ground.permits }

  /// One sentence that names the key that decided.
  public var reason: String { ground.sentence }
}

/// What decided about plain HTTP (spec A.5, `tlsRequired`).
enum CleartextGround: Sendable {
  case beforeATS(OSVersion)
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

  var sentence: String {
    switch self {
    case .beforeATS(let os): "OS \(os) is older than App Transport Security"
    case .exception(let exception) where exception.permitsPlainHTTP:
      "\(exception.place) has \(ATSKey.insecureHTTP)"
    case .exception(let exception):
      "\(exception.place) does not have \(ATSKey.insecureHTTP), and global keys do not apply to a listed domain"
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
}

extension DomainException {
  var place: String {
    isBuiltIn ? "Apple's built-in exception for \(key)" : "\(ATSKey.exceptionDomains).\(key)"
  }
}
