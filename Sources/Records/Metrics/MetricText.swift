/// Writes families of metrics in the text format of Prometheus, version 0.0.4.
struct MetricText {
  private(set) var text = ""

  private static let prefix = "pinwarden_"

  mutating func append(_ family: MetricFamily) {
    text += "# HELP \(Self.prefix)\(family.name) \(Self.escaped(help: "\(family.help)"))\n"
    text += "# TYPE \(Self.prefix)\(family.name) \(family.kind.rawValue)\n"
    for sample in family.samples { append(sample, of: family) }
  }

  private mutating func append(_ sample: MetricFamily.Sample, of family: MetricFamily) {
    text += "\(Self.prefix)\(family.name)\(sample.suffix)"
    if !sample.labels.isEmpty {
      text += "{" + sample.labels.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",") + "}"
    }
    text += " \(Self.number(sample.value))\n"
  }

  static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
    return Int(exactly: value).map { "\($0)" } ?? "\(value)"
  }

  private static func escaped(_ value: String) -> String {
    escaped(help: value).replacing("\"", with: "\\\"")
  }

  private static func escaped(help: String) -> String {
    help.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
  }
}
