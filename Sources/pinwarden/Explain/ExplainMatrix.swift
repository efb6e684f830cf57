import Configuration
import Policy

/// The combinations of OS and context under which each request is explained: one, unless the command line names several.
struct ExplainMatrix {
  private let explainers: [Explainer]
  /// nil: the one that lane or request say.
  private let contexts: [Context?]

  /// - Parameters:
  ///   - explainers: one for each OS.
  ///   - contexts: empty: what lane or request say.
  init(_ explainers: [Explainer], contexts: [Context]) {
    self.explainers = explainers
    self.contexts = contexts.isEmpty ? [nil] : contexts
  }

  /// One explanation for each combination, by OS and then by context. A request that names its context has that one only.
  func explain(_ request: ExplainRequest) -> Result<[Explanation], ExplainFault> {
    var explanations: [Explanation] = []
    for explainer in explainers {
      for context in request.context == nil ? contexts : [nil] {
        var request = request
        if let context { request.context = context.rawValue }
        switch explainer.explain(request) {
        case .success(let explanation): explanations.append(explanation)
        case .failure(let fault): return .failure(fault)
        }
      }
    }
    return .success(explanations)
  }

  /// Some lines for people: the whole decision where there is one, else a table with a row for each combination.
  static func text(of explanations: [Explanation], _ style: TextStyle) -> String {
    guard let first = explanations.first, explanations.count > 1 else { return explanations.first?.text(style) ?? "" }
    var table = TextTable()
    table.add("OS", "context", "verdict", "TLS from", "secrecy", "reason")
    for explanation in explanations {
      table.add(
        painted: PaintedText("\(explanation.os)"), PaintedText(explanation.context.rawValue),
        PaintedText(explanation.verdict, explanation.isDenied ? .bad : .good),
        PaintedText(explanation.minimumTLSText), PaintedText(explanation.forwardSecrecyText),
        PaintedText(PlainText.oneLine(explanation.mainReason)))
    }
    return style.wrapped(PlainText.oneLine(first.url), paint: .bold)
      + style.wrapped(
        "lane \(PlainText.oneLine(first.lane)), method \(PlainText.oneLine(first.method))", lead: "  ", indent: "  ")
      + table.text(margin: "  ", style: style) + "\n"
  }
}
