/// The readings of one metric at one moment, as `Metrics.text()` writes them.
public struct MetricFamily: Sendable {
  public enum Kind: String, Sendable {
    /// Only grows. The name ends with `_total`.
    case counter
    case gauge
    case histogram
  }

  public struct Sample: Sendable {
    /// What follows the name of the family, such as `_bucket`; mostly nothing.
    public let suffix: StaticString
    /// Values may be any text, but must be few: never names of hosts or clients. Names of lanes come from the configuration.
    public let labels: KeyValuePairs<StaticString, String>
    public let value: Double

    public init(suffix: StaticString = "", labels: KeyValuePairs<StaticString, String> = [:], value: Double) {
      self.suffix = suffix
      self.labels = labels
      self.value = value
    }
  }

  /// Without the prefix `pinwarden_`, which all names get; with the unit at its end, such as `store_bytes`.
  public let name: StaticString
  /// One sentence.
  public let help: StaticString
  public let kind: Kind
  public let samples: [Sample]

  public init(_ name: StaticString, _ kind: Kind, _ help: StaticString, samples: [Sample]) {
    self.name = name
    self.help = help
    self.kind = kind
    self.samples = samples
  }

  /// A metric without labels.
  public init(_ name: StaticString, _ kind: Kind, _ help: StaticString, value: Double) {
    self.init(name, kind, help, samples: [Sample(value: value)])
  }
}
