import Policy

/// A key about which App Review asks, and what can be written for it.
public struct Justification: Sendable, Hashable {
  public var key: String
  /// The entry of `NSExceptionDomains`; nil: it holds for every destination.
  public var scope: String?
  /// Why App Review asks; one sentence.
  public var reason: String
  /// A draft of the answer, or the advice to take the key away. What only the author knows stands in angle brackets.
  public var text: String
  /// The text is the advice.
  public var isAdvice: Bool
}

extension Justification {
  /// - Parameters:
  ///   - hosts: those that need the key by recorded traffic; nil: no traffic was given.
  ///   - objection: why it has no effect; a clause.
  init(_ permission: ATSPermission, hosts: [ReviewedHost]?, objection: String?) {
    key = permission.key
    scope = permission.scope
    reason = Self.reason(permission)
    isAdvice = objection != nil || hosts?.isEmpty == true
    if let objection {
      text = "Take it away: \(objection). App Review sees it all the same."
    } else if let hosts, hosts.isEmpty {
      text = "Take it away: no recorded request needed it."
    } else {
      text = Self.draft(permission, hosts: hosts ?? [])
    }
  }

  private static func reason(_ permission: ATSPermission) -> String {
    switch permission.key {
    case ATSKey.arbitraryLoads: "It switches App Transport Security off for every destination without an entry."
    case ATSKey.media: "It switches App Transport Security off for what AVFoundation loads."
    case ATSKey.webContent: "It switches App Transport Security off for what web views load."
    case ATSKey.insecureHTTP: "It permits plain HTTP, which anybody on the way can read and change."
    case ATSKey.minimumTLS: "It permits versions of TLS that are known to be weak."
    default: "It weakens App Transport Security."
    }
  }

  private static func draft(_ permission: ATSPermission, hosts: [ReviewedHost]) -> String {
    let fact = hosts.isEmpty ? "" : " (\(evidence(hosts)))"
    let place = permission.scope.map { "\($0)" } ?? "<which servers>"
    let whose = hosts.isEmpty || hosts.contains { !$0.isOwn } ? "<the operator>" : "our own team"
    switch permission.key {
    case ATSKey.insecureHTTP:
      return
        "The app loads <what> from \(place), which \(whose) offers over plain HTTP only\(fact). It carries no personal data: <why>. "
        + "We expect https by <date>."
    case ATSKey.minimumTLS:
      return
        "The app connects to \(place), which \(whose) runs on software that speaks no TLS 1.2\(fact). It is to be replaced by <date>."
    case ATSKey.media:
      return
        "The app streams media that is <encrypted or public> from servers of <the operator> without https\(fact). No personal data is sent."
    case ATSKey.webContent:
      return
        "The app shows pages that its users choose, on servers that we do not run and of which some have no https\(fact). Its own "
        + "requests keep to App Transport Security."
    default:
      return
        "The app must connect to <which servers>, whose names are not known when it is built, because <why>\(fact). Requests to our "
        + "own servers use https: their domains have entries of their own."
    }
  }

  /// Such as `12 requests to 2 hosts recorded, the last on 2026-03-01`.
  private static func evidence(_ hosts: [ReviewedHost]) -> String {
    let count = hosts.reduce(0) { $0 + $1.exchangeCount }
    let last = hosts.map(\.last).max() ?? ""
    let place = hosts.count == 1 ? "" : " to \(hosts.count) hosts"
    return "\(count) \(count == 1 ? "request" : "requests")\(place) recorded, the last on \(last.prefix(10))"
  }
}
