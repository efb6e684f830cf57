import Configuration
import Policy

extension Command {
  static let explain = Command(
    "explain", "the decision for URLs, without any traffic", operands: "URL…", operandCount: 0...Int.max,
    options: [
      .config, .explainContext, .explainMethod, .explainLane, .explainOS, .explainStdin, .format,
    ],
    details: """
      Says every step that was looked at, the one that decided, and what the origin must satisfy. It is the same function that \
      decides about live traffic. The client is taken to be on this machine.

      With --stdin each line is a JSON object {"url": …, "context": …, "method": …, "lane": …}, all but the URL optional, and each \
      gets one answer. Exit code 0, or 1 if any URL is denied.
      """
  ) { arguments throws(CommandFault) in
    let readsInput = arguments.has(.explainStdin)
    guard readsInput != !arguments.operands.isEmpty else {
      throw .usage(readsInput ? "give URLs or --stdin, not both" : "URL… or --stdin is missing")
    }
    let configuration = try LoadedConfiguration.load(
      arguments, overrides: CommandLineOverrides(os: arguments.value(.explainOS)))
    let defaults = ExplainRequest(
      url: "", context: arguments.value(.explainContext), method: arguments.value(.explainMethod),
      lane: arguments.value(.explainLane))
    let explainer = Explainer(configuration, defaults: defaults)
    return readsInput
      ? try explainInput(with: explainer, json: arguments.wantsJSON)
      : try explain(arguments.operands, with: explainer, json: arguments.wantsJSON)
  }

  private static func explain(
    _ urls: [String], with explainer: Explainer, json: Bool
  ) throws(CommandFault) -> ExitCode {
    var explanations: [Explanation] = []
    for url in urls {
      switch explainer.explain(ExplainRequest(url: url)) {
      case .success(let explanation): explanations.append(explanation)
      case .failure(let fault): throw .usage(fault.message)
      }
    }
    for explanation in explanations {
      if json { try Output.writeJSON { explanation.write(to: &$0) } } else { try Output.write(explanation.text) }
    }
    return explanations.contains(where: \.isDenied) ? .negative : .success
  }

  private static func explainInput(with explainer: Explainer, json: Bool) throws(CommandFault) -> ExitCode {
    let lines = LineReader()
    var code = ExitCode.success
    while let line = try lines.next() {
      guard !line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r") }) else {
        continue
      }
      switch ExplainRequest.read(line).flatMap({ explainer.explain($0) }) {
      case .success(let explanation):
        if explanation.isDenied { code = .negative }
        if json { try Output.writeJSON { explanation.write(to: &$0) } } else { try Output.write(explanation.text) }
      case .failure(let fault):
        code = .negative
        if json { try Output.writeJSON { fault.write(to: &$0) } } else { try Output.write(fault.text) }
      }
    }
    return code
  }
}

extension Option {
  fileprivate static let explainContext = Option.choice(
    "context", Context.allCases.map(\.rawValue), "what kind of code asks; app, unless the lane says otherwise")
  fileprivate static let explainMethod = Option.value("method", "METHOD", "the request's method; GET by default")
  fileprivate static let explainLane = Option.value("lane", "LANE", "the client's lane; `default` by default")
  fileprivate static let explainOS = Option.value("os", "VERSION", "which OS's rules, in place of ats.os; such as 18.4")
  fileprivate static let explainStdin = Option.flag("stdin", "read one request a line from standard input")
}
