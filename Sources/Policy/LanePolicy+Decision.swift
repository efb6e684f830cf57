import Names

extension LanePolicy {
  /// The decision of the contract, section 3; the first step that decides, decides.
  ///
  /// Without tracing it puts no text together. `access` has been settled before: a client that is not
  /// admitted has no request.
  public func decide(_ facts: RequestFacts, tracing: Tracing) -> Decision {
    var trace = DecisionTrace(tracing)
    trace.add(.access, .pass, "access is settled when a client connects, before there is a request")
    if let denial = denyLoop(facts, &trace) ?? denyTarget(facts, &trace) { return .denied(denial, trace) }
    let disposition = dispose(facts, &trace)
    if disposition.action == .reject {
      return .denied(rejection(of: facts.host, by: disposition), rule: disposition.rule, trace)
    }
    guard facts.scheme.isSecure else { return decideCleartext(facts, disposition, &trace) }
    explainRequirements(facts, disposition, &trace)
    return .passed(disposition, trace)
  }

  private func denyLoop(_ facts: RequestFacts, _ trace: inout DecisionTrace) -> Denial? {
    switch facts.loop {
    case .none:
      trace.add(.loop, .pass, "no Via names this instance and the target is none of its listeners")
      return nil
    case .via: trace.add(.loop, .deny, "a Via of the request names this instance")
    case .ownListener: trace.add(.loop, .deny, "the target is one of the daemon's own listeners")
    }
    return .loop(facts.loop, host: facts.host)
  }

  private func denyTarget(_ facts: RequestFacts, _ trace: inout DecisionTrace) -> Denial? {
    guard let address = facts.prohibitedTarget else {
      trace.add(.target, .pass, "no address of the target is closed to the client, as far as it is known")
      return nil
    }
    trace.add(.target, .deny, "\(facts.host) is at \(address), which only clients on loopback may reach")
    return .destinationProhibited(host: facts.host, address: address)
  }

  /// Steps `rule`, `whitelist` and `default`.
  private func dispose(_ facts: RequestFacts, _ trace: inout DecisionTrace) -> Disposition {
    if let disposition = rules.disposition(host: facts.host, port: facts.port) {
      trace.add(
        .rule, .decided,
        "rules.hosts has \"\(disposition.rule ?? "")\", which matches \(facts.place): \(disposition.action.rawValue)")
      return disposition
    }
    trace.add(.rule, .skip, noRuleReason(facts))
    let origin = WebOrigin(scheme: facts.scheme, host: facts.host, port: facts.port)
    if rules.exempts(origin) {
      trace.add(.whitelist, .decided, "rules.whitelist has \(origin): bypass")
      return Disposition(action: .bypass, step: .whitelist)
    }
    if rules.whitelist.isEmpty, rules.emptyWhitelist == .bypass {
      trace.add(
        .whitelist, .decided, "rules.whitelist is empty and rules.emptyWhitelist is bypass: nobody is intercepted")
      return Disposition(action: .bypass, step: .whitelist)
    }
    trace.add(
      .whitelist, .skip,
      rules.whitelist.isEmpty ? "rules.whitelist is empty" : "rules.whitelist does not have \(origin)")
    trace.add(.default, .decided, "rules.default is \(rules.defaultAction.rawValue)")
    return Disposition(action: rules.defaultAction, step: .default)
  }

  private func noRuleReason(_ facts: RequestFacts) -> String {
    guard let rule = rules.attributes(host: facts.host, port: facts.port) else {
      return "no entry of rules.hosts has a pattern that matches \(facts.place)"
    }
    return "\"\(rule.pattern)\" matches \(facts.place), but no entry of rules.hosts that matches has an action"
  }

  private func rejection(of host: Host, by disposition: Disposition) -> Denial {
    disposition.rule.map { .rule($0, host: host) } ?? .default(host: host)
  }

  /// Step 8: plain HTTP needs the permission of App Transport Security, intercepted or bypassed.
  private func decideCleartext(
    _ facts: RequestFacts, _ disposition: Disposition, _ trace: inout DecisionTrace
  ) -> Decision {
    let objection = importObjection(toCleartextOf: facts.host)
    if ats.mode == .off {
      guard disposition.isNamedBypass else {
        trace.add(.ats, .deny, "ats.mode is off, and neither a rule nor the whitelist bypasses \(facts.place)")
        return .denied(.cleartextNotBypassed(scheme: facts.scheme, host: facts.host, port: facts.port), trace)
      }
      if let objection { return deny(facts, objection, &trace) }
      trace.add(.ats, .pass, "ats.mode is off, and the \(disposition.step.rawValue) bypasses \(facts.place)")
      return .passed(disposition, trace)
    }
    let verdict = ats.cleartext(host: facts.host, context: facts.context)
    if verdict.isPermitted, objection == nil {
      trace.add(.ats, .pass, verdict.reason)
      trace.add(.trust, .skip, "plain HTTP has no certificate")
      return .passed(disposition, trace)
    }
    if ats.mode == .observe {
      let reason = verdict.isPermitted ? objection ?? "" : verdict.reason
      trace.add(.ats, .pass, "\(reason); ats.mode is observe, so this is only recorded")
      return .passed(disposition, trace, observedViolations: ["cleartext"])
    }
    if verdict.isPermitted, let objection { return deny(facts, objection, &trace) }
    trace.add(.ats, .deny, verdict.reason)
    return .denied(.cleartext(verdict, scheme: facts.scheme, port: facts.port), trace)
  }

  /// An import forbids what App Transport Security permits.
  private func deny(_ facts: RequestFacts, _ objection: String, _ trace: inout DecisionTrace) -> Decision {
    trace.add(.ats, .deny, objection)
    return .denied(
      .cleartextForbidden(scheme: facts.scheme, host: facts.host, port: facts.port, objection: objection), trace)
  }

  /// Step 9 cannot be settled before the origin is seen: the trace says what it will be asked for.
  private func explainRequirements(_ facts: RequestFacts, _ disposition: Disposition, _ trace: inout DecisionTrace) {
    guard trace.isOn else { return }
    guard disposition.action == .intercept else {
      trace.add(.ats, .skip, "a bypassed tunnel is passed on unseen, so the device itself judges the origin")
      trace.add(.trust, .skip, "a bypassed tunnel is passed on unseen, so the device itself judges the certificate")
      return
    }
    let needed = requirements(host: facts.host, port: facts.port, context: facts.context)
    trace.add(.ats, ats.mode == .off ? .skip : .pending, needed.ats.sentence(mode: ats.mode))
    trace.add(.trust, .pending, needed.trustSentence)
  }
}

extension RequestFacts {
  /// `a.test:443`.
  fileprivate var place: HostPort { HostPort(host: host, port: port) }
}

extension ATSRequirements {
  fileprivate func sentence(mode: ATSMode) -> String {
    guard mode != .off else { return "ats.mode is off" }
    guard let minimumTLS else { return "App Transport Security asks for nothing here, and the system's defaults hold" }
    var sentence = "the origin must speak \(minimumTLS.name) or later"
    if forwardSecrecy { sentence += " with forward secrecy" }
    if isATSRequired {
      sentence += " and have a certificate with SHA-256 and a key of at least 2048 bits (RSA) or 256 bits (EC)"
    }
    if mode == .observe { sentence += "; ats.mode is observe, so a violation is only recorded" }
    return sentence
  }
}

extension OriginRequirements {
  fileprivate var trustSentence: String {
    var demands = ["be valid for \(host)"]
    if let trust { demands.append("satisfy trust.\(trust.name)") }
    if trust?.transparency != nil { demands.append("satisfy Certificate Transparency") }
    if pinned != nil { demands.append("satisfy NSPinnedDomains") }
    demands += imports.map { "satisfy \($0.source)" }
    let consequence =
      switch onTrustFailure {
      case .respond: "every request is answered with 502"
      case .refuse: "the device's TLS handshake fails"
      }
    return "the certificate must \(demands.joined(separator: " and ")), else \(consequence)"
  }
}
