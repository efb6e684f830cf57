import Names

/// What the log says to people whose device keeps refusing our certificate.
struct PinningAdvice {
  let suspicion: PinningSuspicion
  let target: HostPort
  let lane: String
  /// The lane passes the host on unseen from now on.
  let failsOpen: Bool

  var text: String {
    switch suspicion {
    case .pinned:
      "the client accepts our certificates for other hosts and keeps refusing the one for \(target.host): an app on it pins "
        + "this host, or trusts its own authorities only, and nobody can intercept that; \(remedy)"
    case .untrustedAuthority:
      "the client accepts our certificate for no host: it does not trust the authority; \(installation)"
    case .unclear:
      "the client keeps refusing our certificate for \(target.host) and has tried no other host: either it does not trust "
        + "the authority, then \(installation); or an app on it pins this host, then \(remedy)"
    }
  }

  private var remedy: String {
    if failsOpen { return "lane \(lane) has failOpen, so its tunnels to this host pass unseen for an hour" }
    let origin = WebOrigin(scheme: .https, host: target.host, port: target.port)
    return "to let it through unseen add \"\(origin)\" to rules.whitelist, or { host: \"\(target.host)\", action: "
      + "\"bypass\" } to rules.hosts, or failOpen: true to the lane"
  }

  private var installation: String {
    "install it from http://pinwarden.internal/ and, on iPhone and iPad, switch it on under Settings, General, About, "
      + "Certificate Trust Settings"
  }
}
