import Configuration
import Names
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
    switch route {
    case .through(let proxy): text += "    by way of the proxy \(proxy), which resolves the name\n"
    case .mapped(let place): text += "    upstream.resolve connects to \(place)\n"
    case .direct, nil: break
    }
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

  // MARK: one row of a table

  /// `intercept`, or `deny -1022`.
  var verdict: String {
    decision.action.rawValue + (decision.refusal?.error.map { " \($0.code)" } ?? "")
  }

  var minimumTLSText: String {
    guard let requirements, atsMode != .off else { return "-" }
    return requirements.ats.minimumTLS?.name ?? "(\(requirements.ats.offeredMinimum.name))"
  }

  var forwardSecrecyText: String { requirements == nil || atsMode == .off ? "-" : forwardSecrecy ? "yes" : "no" }

  /// What ATS says if it was asked, else what decided.
  var mainReason: String {
    let steps = decision.steps
    return
      (steps.last { $0.step == .ats && $0.outcome != "skip" } ?? steps.first { $0.outcome == "deny" }
      ?? steps.first { $0.outcome == "decided" })?.reason ?? ""
  }
}
