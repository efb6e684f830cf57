import Configuration
import Names
import Policy

/// Asks the policies of a configuration about requests that nobody sends.
struct Explainer {
  private let configuration: Configuration
  private let defaults: ExplainRequest

  /// `defaults`: what holds where a request does not say (its URL is not used).
  init(_ configuration: Configuration, defaults: ExplainRequest) {
    self.configuration = configuration
    self.defaults = defaults
  }

  func explain(_ request: ExplainRequest) -> Result<Explanation, ExplainFault> {
    do throws(ExplainFault) {
      return .success(try explanation(of: request))
    } catch {
      return .failure(error)
    }
  }

  private func explanation(of request: ExplainRequest) throws(ExplainFault) -> Explanation {
    let target: TargetURL
    do throws(NameFault) {
      target = try TargetURL(request.url)
    } catch {
      throw ExplainFault(url: request.url, message: "`\(request.url)` is no URL that could be requested: \(error)")
    }
    let lane = try self.lane(request)
    let context = try self.context(request, lane)
    let decision = lane.policy.decide(
      RequestFacts(
        scheme: target.scheme, host: target.host, port: target.port, context: context, loop: loop(to: target)),
      tracing: .on)
    let isJudged = target.scheme.isSecure && decision.action == .intercept
    return Explanation(
      url: request.url, lane: lane.name, context: context, method: request.method ?? defaults.method ?? "GET",
      isSecure: target.scheme.isSecure, decision: decision, atsMode: lane.policy.ats.mode, os: lane.policy.ats.os,
      route: decision.action == .deny
        ? nil : configuration.route(to: HostPort(host: target.host, port: target.port), lane: lane),
      requirements: isJudged
        ? lane.policy.requirements(host: target.host, port: target.port, context: context) : nil)
  }

  private func lane(_ request: ExplainRequest) throws(ExplainFault) -> Lane {
    guard let name = request.lane ?? defaults.lane else { return configuration.defaultLane }
    if let lane = configuration.lanes[name] { return lane }
    let names = configuration.lanes.keys.sorted()
    let near = NearestKey.find(name, among: names).map { "did you mean `\($0)`?" }
    throw ExplainFault(
      url: request.url, message: "there is no lane `\(name)`; " + (near ?? "there are \(names.joined(separator: ", "))")
    )
  }

  private func context(_ request: ExplainRequest, _ lane: Lane) throws(ExplainFault) -> Context {
    guard let name = request.context ?? defaults.context else { return lane.context ?? .app }
    if let context = Context(rawValue: name) { return context }
    let names = Context.allCases.map(\.rawValue).joined(separator: ", ")
    throw ExplainFault(url: request.url, message: "`\(name)` is no context; there are \(names)")
  }

  /// Live traffic knows the real addresses; here only what the configuration says of them.
  private func loop(to target: TargetURL) -> LoopEvidence {
    guard let address = target.host.address?.unmapped else { return .none }
    let listening = configuration.listeners.map(\.address) + [configuration.console?.address].compactMap { $0 }
    let isOwn = listening.contains { listener in
      guard case .tcp(let own, let port) = listener else { return false }
      return port == target.port && own.unmapped == address
    }
    return isOwn ? .ownListener : .none
  }
}
