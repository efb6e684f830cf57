import Names
import Policy

/// What nscurl does not tell.
extension DiagnosisText {
  var conclusion: [String] {
    let host = diagnosis.target.name
    let title = diagnosis.rows.first?.objections.first.map { ": \($0.refusal.title)" } ?? ""
    switch diagnosis.verdict {
    case .passes: return [style.green("\(host) passes App Transport Security as it is.")]
    case .needsException:
      return TerminalText.wrapped("\(host) passes only with an exception\(title).", indent: "")
    case .fails: return TerminalText.wrapped("\(host) passes with no exception at all\(title).", indent: "")
    case .unreachable: return []
    }
  }

  var smallest: [String] {
    guard diagnosis.verdict == .needsException, let smallest = diagnosis.smallest else { return [] }
    return [style.bold("The smallest exception")]
      + DictionaryText.xml(smallest, key: ExceptionKey.dictionary, indent: "  ", step: "  ").map(TerminalText.safe)
  }

  var plainHTTP: [String] {
    guard let plain = diagnosis.plainHTTP else { return [] }
    let answer =
      plain.status.map { "answers \($0)" + (plain.location.map { ", and leads to \($0.prefix(200))" } ?? "") }
      ?? "nobody answers in HTTP"
    var lines = [style.bold("Plain HTTP"), "  \(plain.url)"] + TerminalText.wrapped(answer, lead: "  ")
    lines.append("  Result : " + (plain.result == .pass ? style.green("PASS") : style.red("FAIL")))
    if let objection = plain.objection {
      lines += TerminalText.wrapped(
        "\(objection.name): \(objection.refusal.detail)", lead: "  Reason : ", indent: "    ")
    }
    return lines
  }

  var peer: [String] {
    var rows: [(String, String)] = []
    if let peer = diagnosis.peer {
      rows.append(("address", peer.address + (peer.proxy.map { " (the proxy \($0))" } ?? "")))
      rows.append(("negotiated", "\(peer.facts.version.name), \(peer.facts.cipherSuite)"))
      if let asked = peer.clientCertificate {
        rows.append(
          ("client certificate", asked.sent.map { "asked for, identity \($0) sent" } ?? "asked for, none sent"))
      }
      for (index, certificate) in peer.facts.presented.enumerated() {
        rows.append(("certificate \(index + 1)", Self.facts(of: certificate)))
      }
      if let silence = peer.silence { rows.append(("no answer", silence)) }
    }
    for note in diagnosis.handshakes where isVerbose { rows.append(("handshake", note.text)) }
    return rows.isEmpty ? [] : [style.bold("Facts")] + TerminalText.table(rows)
  }

  private static func facts(of certificate: CertificateFacts) -> String {
    "\(certificate.subject), issued by \(certificate.issuer), \(certificate.keyDescription), "
      + "\(certificate.signatureHash.rawValue), \(CalendarDay(secondsSince1970: certificate.notBefore)) to "
      + "\(CalendarDay(secondsSince1970: certificate.notAfter))"
  }

  var chain: [String] {
    guard !diagnosis.chain.isEmpty else { return [] }
    return [style.bold("Certificates to look at")]
      + diagnosis.chain.flatMap {
        TerminalText.wrapped(
          "\($0.level.rawValue): \($0.kind.rawValue): \($0.detail)", lead: "  ", indent: "    ")
      }
  }

  var redirects: [String] {
    guard !diagnosis.redirects.steps.isEmpty || diagnosis.redirects.end != .reached else { return [] }
    var lines = [style.bold("Redirects")]
    for step in diagnosis.redirects.steps {
      let result = step.objections.isEmpty ? style.green("PASS") : style.red("FAIL")
      lines += TerminalText.wrapped(
        step.url + (step.status.map { " answers \($0)" } ?? ""), lead: "  ", indent: "    ")
      lines.append("    Result : \(result)")
      if let objection = step.objections.first {
        lines += TerminalText.wrapped(
          "\(objection.name): \(objection.refusal.detail)", lead: "    Reason : ", indent: "      ")
      }
    }
    if diagnosis.redirects.end != .reached, diagnosis.redirects.end != .blocked {
      lines.append("  " + diagnosis.redirects.end.text)
    }
    return lines
  }

  var policies: [String] {
    var lines: [String] = []
    if let policy = diagnosis.policy {
      lines += [style.bold("The policy in \(TerminalText.safe(policy.source))")] + verdict(policy)
      if !policy.change.isEmpty {
        lines += ["  This change lets the host pass:"] + policy.change.map { "    " + coloured(TerminalText.safe($0)) }
      }
    }
    if let configured = diagnosis.configured, isVerbose || configured.passes != (diagnosis.verdict == .passes) {
      if !lines.isEmpty { lines.append("") }
      lines += [style.bold("The configuration (\(TerminalText.safe(configured.source)))")] + verdict(configured)
    }
    return lines
  }

  private func coloured(_ line: String) -> String {
    line.hasPrefix("+") ? style.green(line) : line.hasPrefix("-") ? style.red(line) : line
  }

  private func verdict(_ policy: PolicyVerdict) -> [String] {
    ["  Result : " + (policy.passes ? style.green("PASS") : style.red("FAIL"))]
      + policy.objections.prefix(isVerbose ? .max : 1).flatMap {
        TerminalText.wrapped("\($0.name): \($0.refusal.detail)", lead: "  Reason : ", indent: "    ")
      }
  }

  var pins: [String] {
    guard let pins = diagnosis.pins else { return [] }
    let all: [(String, String)] = pins.okHttp.enumerated().map { ($0 == 0 ? "leaf" : "issuer \($0)", $1) }
    guard isVerbose else { return [style.bold("Pins")] + TerminalText.table(all) }
    return [style.bold("Pins")] + TerminalText.table(all) + [
      "  curl --pinnedpubkey", "    \(pins.curl)", "  NSPinnedDomains",
    ]
      + DictionaryText.xml(pins.pinnedDomains, key: "NSPinnedDomains", indent: "    ", step: "  ")
      + ["  TrustKit"]
      + DictionaryText.xml(
        .array(pins.trustKit.map { .string($0) }), key: "kTSKPublicKeyHashes", indent: "    ", step: "  ")
      + ["  network_security_config", "    \(pins.networkSecurityConfig)"]
  }
}
