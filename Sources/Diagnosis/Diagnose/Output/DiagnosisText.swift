import Names
import Policy
import TLS

/// A diagnosis as `nscurl --ats-diagnostics` writes it (spec B.2), and what that does not tell: reasons, facts, and what to do.
public struct DiagnosisText {
  private let diagnosis: HostDiagnosis
  private let style: DiagnosisStyle
  private let isVerbose: Bool
  private static let rule = String(repeating: "=", count: TerminalText.width)

  /// How much of each row is shown.
  public enum Detail: Sendable {
    case brief
    /// Dictionaries and errors too, as `nscurl --verbose` has them.
    case verbose
  }

  public init(_ diagnosis: HostDiagnosis, detail: Detail = .brief, style: DiagnosisStyle = .plain) {
    self.diagnosis = diagnosis
    self.style = style
    isVerbose = detail == .verbose
  }

  public var text: String {
    var lines = opening
    if let obstacle = diagnosis.obstacle {
      lines += ["", style.red("The origin cannot be reached.")]
      lines += TerminalText.wrapped(obstacle.detail, lead: "  ")
    } else {
      lines += rows + summary
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var opening: [String] {
    [
      style.bold("Starting ATS Diagnostics"), "",
      "Configuring ATS Info.plist keys and displaying the result of HTTPS loads to \(diagnosis.target.url).",
      "A test will \"PASS\" if the rules of OS \(diagnosis.os) let the load pass.",
    ] + (isVerbose ? [] : ["Use '--verbose' to view the ATS dictionaries used and the error of each test."])
      + [Self.rule]
  }

  private var rows: [String] {
    var lines: [String] = []
    var section: String?
    var told: Set<String> = []
    for result in diagnosis.rows {
      if result.row.section != section {
        if section != nil { lines += ["", Self.rule] }
        lines += ["", style.bold(result.row.section), "---"]
        section = result.row.section
      }
      lines += self.lines(of: result, told: &told)
    }
    return lines + ["", Self.rule]
  }

  /// - Parameter told: the reasons that stand above.
  private func lines(of result: RowResult, told: inout Set<String>) -> [String] {
    var lines = [result.row.name]
    if isVerbose { lines += ["ATS Dictionary:"] + DictionaryText.lines(result.row.dictionary).map(TerminalText.safe) }
    lines.append("Result : " + (result.result == .pass ? style.green("PASS") : style.red("FAIL")))
    if isVerbose, let first = result.objections.first {
      lines += TerminalText.wrapped(Self.errorText(first), lead: "Error : ")
    }
    for objection in result.objections.prefix(isVerbose ? .max : 1) {
      let isNew = told.insert(objection.refusal.detail).inserted
      lines += TerminalText.wrapped(
        "\(objection.name)" + (isNew ? ": \(objection.refusal.detail)" : " (as above)"), lead: "Reason : ")
    }
    return lines + ["---"]
  }

  /// As the description of an NSError, without what only a device knows.
  static func errorText(_ objection: Objection) -> String {
    guard let error = objection.refusal.error else { return objection.refusal.title }
    let below = objection.secureTransport.map { " UserInfo={_kCFStreamErrorCodeKey=\($0.code)}" } ?? ""
    return "Error Domain=\(NSURLError.domain) Code=\(error.code) \"\(objection.refusal.title)\"\(below)"
  }

  // MARK: what nscurl does not tell

  private var summary: [String] {
    Self.joined([conclusion, smallest, plainHTTP, peer, chain, redirects, policies, pins])
  }

  private static func joined(_ parts: [[String]]) -> [String] {
    parts.filter { !$0.isEmpty }.flatMap { [""] + $0 }
  }

  /// One host under the rules of several OS versions: a table, what each of them asks for, and the facts, which are the same for all.
  public static func matrix(_ diagnoses: [HostDiagnosis], style: DiagnosisStyle = .plain) -> String {
    let texts = diagnoses.map { DiagnosisText($0, style: style) }
    guard let first = texts.first, first.diagnosis.obstacle == nil else { return first?.text ?? "" }
    var lines = [DiagnosisTable.matrix(diagnoses, style: style)]
    for text in texts {
      lines +=
        [style.bold("OS \(text.diagnosis.os)")] + joined([text.conclusion, text.smallest, text.policies]).dropFirst()
      lines.append("")
    }
    lines += joined([first.plainHTTP, first.peer, first.chain, first.redirects, first.pins]).dropFirst()
    return lines.joined(separator: "\n") + "\n"
  }

  private var conclusion: [String] {
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

  private var smallest: [String] {
    guard diagnosis.verdict == .needsException, let smallest = diagnosis.smallest else { return [] }
    return [style.bold("The smallest exception")]
      + DictionaryText.xml(smallest, key: ExceptionKey.dictionary, indent: "  ").map(TerminalText.safe)
  }

  private var plainHTTP: [String] {
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

  private var peer: [String] {
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

  private var chain: [String] {
    guard !diagnosis.chain.isEmpty else { return [] }
    return [style.bold("Certificates to look at")]
      + diagnosis.chain.flatMap {
        TerminalText.wrapped("\($0.level.rawValue): \($0.kind.rawValue): \($0.detail)", lead: "  ", indent: "    ")
      }
  }

  private var redirects: [String] {
    guard !diagnosis.redirects.steps.isEmpty || diagnosis.redirects.end != .reached else { return [] }
    var lines = [style.bold("Redirects")]
    for step in diagnosis.redirects.steps {
      let result = step.objections.isEmpty ? style.green("PASS") : style.red("FAIL")
      lines += TerminalText.wrapped(step.url + (step.status.map { " answers \($0)" } ?? ""), lead: "  ", indent: "    ")
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

  private var policies: [String] {
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

  private var pins: [String] {
    guard let pins = diagnosis.pins else { return [] }
    let all: [(String, String)] = pins.okHttp.enumerated().map { ($0 == 0 ? "leaf" : "issuer \($0)", $1) }
    guard isVerbose else { return [style.bold("Pins")] + TerminalText.table(all) }
    return [style.bold("Pins")] + TerminalText.table(all) + [
      "  curl --pinnedpubkey", "    \(pins.curl)", "  NSPinnedDomains",
    ]
      + DictionaryText.xml(pins.pinnedDomains, key: "NSPinnedDomains", indent: "    ")
      + ["  TrustKit"]
      + DictionaryText.xml(.array(pins.trustKit.map { .string($0) }), key: "kTSKPublicKeyHashes", indent: "    ")
      + ["  network_security_config", "    \(pins.networkSecurityConfig)"]
  }
}

extension HostDiagnosis {
  /// nil: no certificate was seen.
  public var pins: PinFormats? {
    peer.map { peer in
      let chain = peer.facts.evaluation.chain
      return PinFormats(chain.isEmpty ? peer.facts.presented : chain, host: target.exceptionKey)
    }
  }
}

extension CertificateFacts {
  /// `RSA 2048`.
  var keyDescription: String {
    switch keyKind {
    case .rsa: "RSA \(keyBits)"
    case .ec: "EC \(keyBits)"
    case .ed25519: "Ed25519"
    case .other(let name): "\(name.prefix(40)) \(keyBits)"
    }
  }
}

extension RedirectTrail.End {
  /// A sentence.
  var text: String {
    switch self {
    case .reached: "The last answer leads nowhere else."
    case .blocked: "App Transport Security would not follow."
    case .loop: "It leads back to an address that was there before."
    case .limit: "It goes on after \(RedirectTrail.limit) addresses."
    case .failed: "The last address could not be followed."
    }
  }
}

extension HandshakeNote {
  /// One line.
  var text: String {
    let offered =
      "\(offer.minimum.name) to \(offer.maximum.name)"
      + (offer.suites.isEmpty ? "" : ", \(offer.suites.count) older suites")
    let chosen = [version.map { "\($0.name), \(suite ?? "")" }, failure].compactMap { $0 }.joined(separator: "; ")
    return "\(offered): \(chosen)"
  }
}
