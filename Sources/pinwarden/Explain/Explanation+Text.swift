import Configuration
import Names
import Policy

extension Explanation {
  /// Some lines for people.
  func text(_ style: TextStyle) -> String {
    var table = TextTable()
    for step in decision.steps {
      table.add(
        painted: PaintedText(step.step.rawValue), PaintedText(step.outcome, Paint(outcome: step.outcome)),
        PaintedText(PlainText.oneLine(step.reason), step.outcome == "skip" ? .dim : .plain))
    }
    var text = style.wrapped(PlainText.oneLine(url), paint: .bold)
    text += style.wrapped(
      "lane \(PlainText.oneLine(lane)), context \(context.rawValue), method \(PlainText.oneLine(method)), OS \(os)",
      lead: "  ", indent: "  ")
    text += table.text(margin: "  ", style: style)
    text += style.wrapped(conclusion, lead: "  ", indent: "     ", paint: isDenied ? .bad : .good)
    if let refusal = decision.refusal { text += item(PlainText.oneLine(refusal.detail), style) }
    for demand in demands { text += item(demand, style) }
    switch route {
    case .through(let proxy): text += item("by way of the proxy \(proxy), which resolves the name", style)
    case .mapped(let place): text += item("upstream.resolve connects to \(place)", style)
    case .direct, nil: break
    }
    return text + "\n"
  }

  private func item(_ text: String, _ style: TextStyle) -> String {
    style.wrapped(text, lead: "    ", indent: "      ")
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

extension Paint {
  /// Of a step of the decision.
  fileprivate init(outcome: String) {
    switch outcome {
    case "deny": self = .bad
    case "decided": self = .bold
    case "pending": self = .caution
    case "skip": self = .dim
    default: self = .plain
    }
  }
}
