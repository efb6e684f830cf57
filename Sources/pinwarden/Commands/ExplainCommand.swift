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

      --os and --context take several values with commas between them, and --context also `all`: then there is a table with a row \
      for each combination, and with --format json an object for each, which its members `os` and `context` tell apart.

      With --stdin each line is a JSON object {"url": …, "context": …, "method": …, "lane": …}, all but the URL optional, and each \
      gets one answer. Exit code 0, or 1 if any URL is denied.
      """
  ) { arguments throws(CommandFault) in
    let readsInput = arguments.has(.explainStdin)
    guard readsInput != !arguments.operands.isEmpty else {
      throw .usage(readsInput ? "give URLs or --stdin, not both" : "URL… or --stdin is missing")
    }
    let matrix = try matrix(arguments)
    return readsInput
      ? try explainInput(with: matrix, json: arguments.wantsJSON)
      : try explain(arguments.operands, with: matrix, json: arguments.wantsJSON)
  }

  /// The configuration is loaded once for each OS: it is compiled for that OS as the daemon would compile it.
  private static func matrix(_ arguments: Arguments) throws(CommandFault) -> ExplainMatrix {
    let scope: ExplainScope
    do throws(UsageFault) {
      scope = try ExplainScope(os: arguments.value(.explainOS), context: arguments.value(.explainContext))
    } catch {
      throw .usage(error)
    }
    let defaults = ExplainRequest(
      url: "", method: arguments.value(.explainMethod), lane: arguments.value(.explainLane))
    var explainers: [Explainer] = []
    let systems: [String?] = scope.systems.isEmpty ? [nil] : scope.systems
    for os in systems {
      let configuration = try LoadedConfiguration.load(arguments, overrides: CommandLineOverrides(os: os))
      explainers.append(Explainer(configuration, defaults: defaults))
    }
    return ExplainMatrix(explainers, contexts: scope.contexts)
  }

  private static func explain(
    _ urls: [String], with matrix: ExplainMatrix, json: Bool
  ) throws(CommandFault) -> ExitCode {
    var answers: [[Explanation]] = []
    for url in urls {
      switch matrix.explain(ExplainRequest(url: url)) {
      case .success(let explanations): answers.append(explanations)
      case .failure(let fault): throw .usage(fault.message)
      }
    }
    for explanations in answers { try write(explanations, json: json) }
    return answers.joined().contains(where: \.isDenied) ? .negative : .success
  }

  private static func explainInput(with matrix: ExplainMatrix, json: Bool) throws(CommandFault) -> ExitCode {
    let lines = LineReader()
    var code = ExitCode.success
    while let line = try lines.next() {
      guard !line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r") }) else {
        continue
      }
      switch ExplainRequest.read(line).flatMap({ matrix.explain($0) }) {
      case .success(let explanations):
        if explanations.contains(where: \.isDenied) { code = .negative }
        try write(explanations, json: json)
      case .failure(let fault):
        code = .negative
        if json { try Output.writeJSON { fault.write(to: &$0) } } else { try Output.write(fault.text) }
      }
    }
    return code
  }

  private static func write(_ explanations: [Explanation], json: Bool) throws(CommandFault) {
    guard json else { return try Output.write(ExplainMatrix.text(of: explanations, .standardOutput)) }
    for explanation in explanations { try Output.writeJSON { explanation.write(to: &$0) } }
  }
}

extension Option {
  fileprivate static let explainContext = Option.value(
    "context", "CONTEXT",
    "what kind of code asks: app, web or media, several, or all; app, unless the lane says otherwise")
  fileprivate static let explainMethod = Option.value("method", "METHOD", "the request's method; GET by default")
  fileprivate static let explainLane = Option.value("lane", "LANE", "the client's lane; `default` by default")
  fileprivate static let explainOS = Option.value(
    "os", "VERSION", "which OS's rules, in place of ats.os: such as 18.4, or several such as 9,16,18.4")
  fileprivate static let explainStdin = Option.flag("stdin", "read one request a line from standard input")
}
