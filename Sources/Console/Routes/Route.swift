import HTTP

/// What a path of the console stands for. Paths are compared as they are sent: none is decoded, so none can be spelt in two ways.
enum Route: Equatable {
  case page
  /// A file of the page.
  case asset(String)
  case login
  case logout
  case health
  case readiness
  case metrics
  case exchanges
  case count
  case exchange(String)
  case body(String, Router.Side)
  case replay(String)
  case events
  case policy
  case whitelist
  case reload
  case explain
  case har
  case devices
  case hosts
  case series

  private static let assets = "/page/"

  private static let fixed: [Substring: Route] = [
    "/": .page, "/login": .login, "/logout": .logout, "/healthz": .health,
    "/readyz": .readiness, "/metrics": .metrics, "/api/exchanges": .exchanges, "/api/events": .events,
    "/api/policy": .policy, "/api/whitelist": .whitelist, "/api/reload": .reload, "/api/explain": .explain,
    "/api/har": .har, "/api/exchanges/count": .count, "/api/hosts": .hosts, "/api/series": .series,
    "/api/devices": .devices,
  ]

  /// nil: there is nothing.
  init?(path: Substring) {
    if let route = Self.fixed[path] {
      self = route
      return
    }
    if path.hasPrefix(Self.assets), PageFiles.isName(path.dropFirst(Self.assets.count)) {
      self = .asset(String(path.dropFirst(Self.assets.count)))
      return
    }
    let prefix = "/api/exchanges/"
    guard path.hasPrefix(prefix) else { return nil }
    let parts = path.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false)
    switch parts.count {
    case 1 where !parts[0].isEmpty: self = .exchange(String(parts[0]))
    case 2 where parts[1] == "replay" && !parts[0].isEmpty: self = .replay(String(parts[0]))
    case 3 where parts[1] == "body" && !parts[0].isEmpty:
      guard let side = Router.Side(rawValue: String(parts[2])) else { return nil }
      self = .body(String(parts[0]), side)
    default: return nil
    }
  }

  /// Whether a path is one that only visitors with the token may ask for, existing or not.
  static func isGuarded(path: Substring) -> Bool {
    path == "/api" || path.hasPrefix("/api/")
  }

  /// The methods that it takes; HEAD goes with GET.
  var methods: [HTTPMethod] {
    switch self {
    case .page, .asset, .health, .readiness, .metrics, .exchanges, .count, .exchange, .body, .events, .policy, .har,
      .hosts, .series, .devices:
      [.get]
    case .login, .logout, .replay, .reload, .explain: [.post]
    case .whitelist: [.get, .put]
    }
  }

  /// The value of `Allow` (RFC 9110, section 10.2.1).
  var allowed: String {
    methods.flatMap { $0 == .get ? ["GET", "HEAD"] : [$0.description] }.joined(separator: ", ")
  }

  func takes(_ method: HTTPMethod) -> Bool {
    methods.contains(method == .head ? .get : method)
  }

  /// What a request body must be, where one is looked at.
  var bodyType: BodyType {
    switch self {
    case .login: .form
    case .whitelist, .explain: .json
    case .replay: .optionalJSON
    default: .none
    }
  }

  enum BodyType: Equatable {
    case none, form, json
    /// JSON if there is a body at all.
    case optionalJSON

    var mediaType: String { self == .form ? "application/x-www-form-urlencoded" : "application/json" }
  }
}
