import Policy

@testable import Configuration

/// The text of a configuration, as JSON5 and as settings.
enum ConfigurationTextCheck {
  @Sendable static func run(_ bytes: [UInt8]) throws(Complaint) {
    let document = JSON5Reader.read(bytes)
    try claim(document.root != nil || !document.faults.isEmpty, "nothing was read, and nothing was wrong")
    for fault in document.faults {
      try claim((0...bytes.count).contains(fault.offset), "a fault at \(fault.offset) of \(bytes.count)")
    }
    if let root = document.root, document.faults.isEmpty {
      let text = write(root)
      let again = JSON5Reader.read(text)
      try claim(again.root.map(root.isEqual) == true, "it does not survive being written: \(text)")
    }
    try checkSettings(bytes)
  }

  private static func checkSettings(_ bytes: [UInt8]) throws(Complaint) {
    let source = SourceText(name: "fuzz.json5", bytes: bytes)
    let result = ConfigurationLoader.load(
      source: source, file: "/nonexistent/fuzz.json5", folder: "/nonexistent", overrides: CommandLineOverrides(),
      environment: ["STATE_DIRECTORY": "/nonexistent/state"], now: 1_800_000_000)
    let hasError = result.findings.contains { $0.level == .error }
    try claim((result.configuration == nil) == hasError, "a configuration with errors, or none without")
    for finding in result.findings {
      try claim(!finding.message.isEmpty && finding.line != 0 && finding.column != 0, "the finding \(finding)")
    }
  }

  private static func write(_ node: JSON5Node) -> String {
    switch node.value {
    case .null: "null"
    case .boolean(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .string(let text): quote(text)
    case .array(let elements): "[" + elements.map(write).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { quote($0.key) + ":" + write($0.value) }.joined(separator: ",") + "}"
    }
  }

  private static func quote(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      scalar.value < 0x20 || "\"\\".unicodeScalars.contains(scalar)
        ? "\\u" + String(0x10000 | scalar.value, radix: 16).dropFirst() : String(scalar)
    }
    return "\"" + escaped.joined() + "\""
  }
}
