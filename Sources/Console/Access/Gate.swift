import EventLoop
import HTTP
import Names

/// Judges by its head whether a request to the console is served: who it is addressed to, who asks, and whether a page of somebody
/// else has a browser ask. Confined to its owner; does no I/O.
struct Gate {
  /// Who asks.
  enum Visitor: Equatable {
    /// Has shown nothing that counts.
    case stranger
    /// Showed the token itself, which no browser does on its own.
    case tokenHolder
    /// A browser with a session.
    case session
  }

  enum Verdict {
    case admitted(Route, Visitor)
    case refused(Answer)
  }

  /// Both clocks at one moment.
  struct Moment {
    /// Monotonic nanoseconds.
    let monotonic: UInt64
    /// Seconds since 1970.
    let seconds: Int64
  }

  var credentials: ConsoleCredentials
  private var failures = FailureLimit()
  /// A client that has just used up its wrong tokens, until somebody takes notice.
  private(set) var alarm: String?

  init(_ credentials: ConsoleCredentials) {
    self.credentials = credentials
  }

  mutating func judge(_ request: ConsoleRequest, at moment: Moment) -> Verdict {
    guard let named = OwnHost(local: request.local).recognise(request.authority) else {
      return .refused(Self.misdirected(request))
    }
    let route = Route(path: request.path)
    let visitor: Visitor
    switch identify(request, at: moment) {
    case .success(let known): visitor = known
    case .failure(let refusal): return .refused(refusal.answer)
    }
    let isGuarded = Route.isGuarded(path: request.path)
    if isGuarded || route == .login || route == .logout, visitor != .tokenHolder,
      let answer = Self.foreign(request, named)
    {
      return .refused(answer)
    }
    if isGuarded, visitor == .stranger {
      return .refused(.unauthorized("the console's token is needed: Authorization: Bearer, or the login page at /"))
    }
    guard let route else { return .refused(.problem(404, "the console has nothing at this path")) }
    return admit(request, route, visitor)
  }

  /// What is left to check when it is known who asks for what.
  private func admit(_ request: ConsoleRequest, _ route: Route, _ visitor: Visitor) -> Verdict {
    guard route.takes(request.method) else {
      return .refused(
        .problem(405, "\(request.method) is not served here; \(route.allowed) is").with("Allow", route.allowed))
    }
    if request.method == .get || request.method == .head { return .admitted(route, visitor) }
    let wanted = route.bodyType
    // Whoever holds the token may leave the type out; a browser must not be led to send JSON by a form of another page.
    let isTyped = wanted != .none && (wanted != .optionalJSON || request.hasBody)
    if isTyped, visitor != .tokenHolder, request.mediaType != wanted.mediaType {
      return .refused(.problem(415, "the body must be \(wanted.mediaType)"))
    }
    return .admitted(route, visitor)
  }

  private static func misdirected(_ request: ConsoleRequest) -> Answer {
    .problem(
      421, "the console is not reached by the name in Host; use its own address, or localhost, with the right port")
  }

  // MARK: who asks

  private struct Refusal: Error {
    let answer: Answer
  }

  private mutating func identify(_ request: ConsoleRequest, at moment: Moment) -> Result<Visitor, Refusal> {
    if let token = request.bearerToken {
      // Probes need no token, and a wrong one is no guess there.
      guard Route.isGuarded(path: request.path) else { return .success(.stranger) }
      return check(token.utf8, of: request, at: moment).map { $0 ? .tokenHolder : .stranger }
    }
    let cookie = SessionCookie(port: request.local?.port)
    let isKnown = cookie.isAdmitted(cookies: request.fields.values(.cookie), credentials, now: moment.seconds)
    return .success(isKnown ? .session : .stranger)
  }

  /// Whether it is the token; not answered while too many wrong ones came from there.
  private mutating func check(
    _ token: some Sequence<UInt8>, of request: ConsoleRequest, at moment: Moment
  ) -> Result<Bool, Refusal> {
    let origin = FailureLimit.Origin(request.client)
    if let delay = failures.delay(for: origin, now: moment.monotonic) {
      return .failure(Refusal(answer: .tooManyFailures(seconds: delay)))
    }
    if credentials.isToken(token) { return .success(true) }
    if failures.failed(origin, now: moment.monotonic) { alarm = request.client.ipText }
    return .success(false)
  }

  mutating func takeAlarm() -> String? {
    defer { alarm = nil }
    return alarm
  }

  // MARK: pages of others

  /// The refusal of a request that a browser says comes from elsewhere (Fetch Metadata; RFC 6454, section 7), other ports of this
  /// host included, which share its cookies.
  private static func foreign(_ request: ConsoleRequest, _ named: HostPort) -> Answer? {
    let answer = Answer.problem(403, "a page of another site may not ask the console")
    if let site = request.fields.first(named: "Sec-Fetch-Site"), site != "same-origin", site != "none" { return answer }
    guard !request.method.isSafe, let text = request.fields.first(.origin) else { return nil }
    guard let origin = try? WebOrigin(text), origin.scheme == .http,
      HostPort(host: origin.host, port: origin.port) == named
    else { return answer }
    return nil
  }

  // MARK: login

  /// Answers the form of the login page.
  mutating func login(_ request: ConsoleRequest, at moment: Moment) -> Answer {
    let token = QueryText(String(decoding: request.body, as: UTF8.self))?["token"] ?? ""
    switch check(token.utf8, of: request, at: moment) {
    case .success(true):
      let cookie = SessionCookie(port: request.local?.port)
      return Answer.redirect(to: "/").with("Set-Cookie", cookie.admission(credentials, now: moment.seconds))
    case .success(false): return .page(LoginPage(.wrongToken).text, status: 401)
    case .failure(let refusal):
      var answer = refusal.answer
      let page = Answer.page(LoginPage(.waiting).text, status: answer.status)
      (answer.contentType, answer.body) = (page.contentType, page.body)
      return answer
    }
  }

  /// Has the browser forget its session.
  static func logout(_ request: ConsoleRequest) -> Answer {
    Answer.redirect(to: "/").with("Set-Cookie", SessionCookie(port: request.local?.port).removal)
  }
}
