import Proxy
import Testing

/// The text of `/metrics`, read as Prometheus does.
struct MetricReadings {
  /// By name and labels as they are written.
  private var values: [String: Double] = [:]
  private(set) var kinds: [String: String] = [:]

  init(_ text: String) throws {
    #expect(text.hasSuffix("\n"))
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      let words = line.split(separator: " ")
      if line.hasPrefix("# TYPE ") {
        kinds[String(try #require(words.dropFirst(2).first))] = String(try #require(words.last))
      } else if !line.hasPrefix("# HELP ") {
        let space = try #require(line.lastIndex(of: " "))
        let value = try #require(Double(line[line.index(after: space)...]), "\(line)")
        #expect(values.updateValue(value, forKey: String(line[..<space])) == nil, "twice: \(line)")
      }
    }
  }

  /// A reading such as `connections_total{listener="explicit"}`, without the prefix; 0: not there.
  subscript(_ name: String) -> Double { values["pinwarden_\(name)"] ?? 0 }

  var names: [String] { Array(values.keys) }
}

extension TestProxy {
  func metrics() throws -> MetricReadings { try MetricReadings(server.metricsText()) }

  /// The readings once they say what is awaited.
  func metrics(_ name: String, reach value: Double) async throws -> MetricReadings {
    _ = await Kit.before(Peer.patience) { [self] in try? metrics()[name] == value ? true : nil }
    let readings = try metrics()
    #expect(readings[name] == value)
    return readings
  }
}
