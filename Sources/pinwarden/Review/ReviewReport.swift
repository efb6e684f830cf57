import Diagnosis
import Names
import Policy

/// A review as people read it.
struct ReviewReport {
  let review: Review
  let file: String
  /// A key that stands at the top of the file, where a device does not look.
  let misplacedKey: String?
  let style: TextStyle

  var text: String {
    let parts = [
      head, justifications, unused, hosts, thirdParties, refused, pins, findings, smallest,
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private var head: String {
    var text = style.wrapped("App Review report on \(PlainText.oneLine(file))", paint: .bold)
    text += style.wrapped(traffic)
    guard let misplacedKey else { return text }
    return text
      + style.wrapped(
        "\(misplacedKey) stands at the top of the file, where a device does not look: put it into NSAppTransportSecurity.",
        paint: .caution)
  }

  private var traffic: String {
    guard let traffic = review.traffic else {
      return "Rules of OS \(review.os). Without --store DIR there is no recorded traffic to hold it against."
    }
    guard traffic.exchangeCount > 0 else { return "Rules of OS \(review.os). No exchange was recorded." }
    let left = traffic.leftOutCount == 0 ? "" : " \(counted(traffic.leftOutCount, "record")) could not be looked at."
    return
      "Rules of OS \(review.os). \(counted(traffic.exchangeCount, "exchange")) with \(counted(review.hosts.count, "host")), "
      + "\(traffic.first.prefix(10)) to \(traffic.last.prefix(10)).\(left)"
  }

  private var justifications: String {
    guard review.needsJustification else {
      return style.wrapped("Nothing needs a justification at App Review.", paint: .good)
    }
    let count = review.justifications.count
    var text = headline("\(count) \(count == 1 ? "key needs" : "keys need") a justification at App Review", .caution)
    for justification in review.justifications {
      text += style.wrapped(place(justification.key, justification.scope), lead: "  ", indent: "    ", paint: .bold)
      text +=
        paragraph(justification.reason)
        + paragraph(justification.isAdvice ? justification.text : "Write: \(justification.text)")
    }
    return text
  }

  private var unused: String {
    guard review.traffic != nil else { return "" }
    guard !review.unused.isEmpty else { return "" }
    var text = headline("Not used by anything that was recorded", .caution)
    for permission in review.unused { text += item(place(permission.key, permission.scope)) }
    return text
  }

  private var hosts: String {
    let excepted = review.hosts.filter { $0.verdict == .exception || $0.verdict == .refused }
    let fine = review.hosts.count { $0.verdict == .default }
    guard !review.hosts.isEmpty else { return "" }
    var text = ""
    if !excepted.isEmpty {
      text += headline("Hosts that need an exception", .bold)
      for host in excepted { text += lines(of: host) }
    }
    let unknown = review.hosts.filter { $0.verdict == .unknown }
    if !unknown.isEmpty {
      text += headline("Hosts of which the records tell nothing", .bold)
      for host in unknown { text += lines(of: host) }
    }
    guard fine > 0 else { return text }
    return text + style.wrapped("\(counted(fine, "host")) passed without any exception.", paint: .good)
  }

  private func lines(of host: ReviewedHost) -> String {
    let whose = host.isOwn ? "own" : "third party"
    var text = style.wrapped(
      "\(host.host) (\(whose), \(counted(host.exchangeCount, "exchange")))", lead: "  ", indent: "    ")
    for need in host.needs {
      let by = need.permission.map { "passes by \(place($0.key, $0.scope))" } ?? "is not permitted"
      text += style.wrapped(
        "\(Self.words(need.violation)): \(by)", lead: "    ", indent: "      ",
        paint: need.permission == nil ? .bad : .caution)
    }
    if host.isAlsoSecure, host.speaksPlainHTTP {
      text += style.wrapped(
        "It passes over https too: write https in the URL, and no exception is needed.", lead: "    ", indent: "      ",
        paint: .good)
    }
    for note in host.notes { text += style.wrapped(note, lead: "    ", indent: "      ", paint: .dim) }
    return text
  }

  private var thirdParties: String {
    let found = review.thirdPartyPlainHTTP
    guard !found.isEmpty else { return "" }
    var text = headline("Third parties that are still spoken to in plain HTTP", .bold)
    for host in found {
      text += item("\(host.host)\(host.isAlsoSecure ? " (https works)" : ""), last on \(host.last.prefix(10))")
    }
    return text
  }

  private var refused: String {
    guard review.hosts.contains(where: { $0.verdict == .refused }) else { return "" }
    return style.wrapped(
      "What is not permitted was refused, and stays so in the dictionary below; --with-refused lets it pass there.",
      paint: .dim)
  }

  private var pins: String {
    guard !review.pins.isEmpty else { return "" }
    var text = headline("Pins", .bold)
    for entry in review.pins {
      text += item("\(PlainText.oneLine(entry.domain))\(entry.isProposed ? " (proposed from what was recorded)" : "")")
      for warning in entry.warnings {
        text += style.wrapped(PlainText.oneLine(warning), lead: "    ", indent: "    ", paint: .caution)
      }
    }
    return text
  }

  private var findings: String {
    guard !review.findings.isEmpty else { return "" }
    var text = headline("What the file really says", .bold)
    for finding in review.findings {
      let paint: Paint = finding.level == .warning ? .caution : .plain
      text += style.wrapped(
        PlainText.oneLine("\(finding.level.rawValue): \(finding.keyPath): \(finding.message)"), lead: "  ",
        indent: "    ", paint: paint)
    }
    return text
  }

  private var smallest: String {
    guard let smallest = review.smallest else { return "" }
    return headline("The smallest dictionary that lets pass what was recorded", .bold)
      + PropertyListFragment(ATSKey.transportSecurity, smallest).text
  }
}

/// Its words.
extension ReviewReport {
  private func headline(_ text: String, _ paint: Paint) -> String {
    style.wrapped(text, paint: paint == .plain ? .bold : paint)
  }

  private func item(_ text: String) -> String { style.wrapped(text, lead: "  ", indent: "    ") }

  private func paragraph(_ text: String) -> String {
    style.wrapped(PlainText.oneLine(text), lead: "    ", indent: "    ")
  }

  /// `NSExceptionAllowsInsecureHTTPLoads of a.test`.
  private func place(_ key: String, _ scope: String?) -> String {
    scope.map { "\(key) of \(PlainText.oneLine($0))" } ?? key
  }

  private func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

  /// A violation in words.
  static func words(_ violation: String) -> String {
    switch violation {
    case "cleartext": "plain HTTP"
    case "minimum-tls": "TLS older than 1.2"
    case "forward-secrecy": "no forward secrecy"
    case "cipher-suite": "a cipher suite that no device speaks"
    case "key-size": "a weak key"
    case "leaf-signature-hash", "chain-signature-hash": "a weak signature"
    case "trust": "a certificate that is not trusted"
    default: violation
    }
  }
}
