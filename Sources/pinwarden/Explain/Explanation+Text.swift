import Policy

extension Explanation {
  /// Some lines for people.
  var text: String {
    var table = TextTable()
    for step in decision.steps {
      table.add(step.step.rawValue, step.outcome, PlainText.oneLine(step.reason))
    }
    var text = "\(PlainText.oneLine(url))\n"
    text +=
      "  lane \(PlainText.oneLine(lane)), context \(context.rawValue), method \(PlainText.oneLine(method)), OS \(os)\n"
    text += table.text(margin: "  ") + "  " + conclusion + "\n"
    if let refusal = decision.refusal { text += "    \(PlainText.oneLine(refusal.detail))\n" }
    for demand in demands { text += "    \(demand)\n" }
    return text + "\n"
  }

  private var conclusion: String {
    let by = decision.decidedBy.map { ", decided by \($0.rawValue)" } ?? ""
    let rule = decision.rule.map { " \(PlainText.oneLine($0))" } ?? ""
    let error = decision.refusal.map { refusal in
      ": \(refusal.status)" + (refusal.error.map { ", \($0.code) \($0.name)" } ?? "")
    }
    return "=> \(decision.action.rawValue)\(by)\(rule)\(error ?? "")"
  }

  /// What the origin must satisfy, one demand a line.
  private var demands: [String] {
    guard let requirements else { return [] }
    var demands = ["TLS: \(minimumTLS.map { "\($0.name) or later" } ?? "whatever the system accepts")"]
    if forwardSecrecy { demands[0] += ", with forward secrecy" }
    if atsMode == .observe { demands[0] += " (only recorded: ats.mode is observe)" }
    if let trust = requirements.trust {
      demands.append(
        "trust: \(PlainText.oneLine(trust.name)) (pinning \(trust.pinning.rawValue), \(trust.certificates.count) certificates, "
          + "\(trust.pins.count) pins\(trust.enforce ? "" : ", only reported"))")
    } else {
      demands.append("trust: the system's evaluation")
    }
    demands += trustDemands
    if requirements.pinned != nil { demands.append("pins: NSPinnedDomains") }
    if !requirements.identityNames.isEmpty {
      demands.append(
        "client certificate, if asked: \(requirements.identityNames.map(PlainText.oneLine).joined(separator: ", "))")
    }
    demands.append(
      requirements.onTrustFailure == .respond
        ? "otherwise: every request is answered with 502" : "otherwise: the device's TLS handshake fails")
    return demands
  }
}
