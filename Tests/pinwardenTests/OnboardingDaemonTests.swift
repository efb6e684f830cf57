import Configuration
import Console
import EventLoop
import Foundation
import Proxy
import Records
import Testing

@testable import pinwarden

/// What the daemon does for devices, and what operators are given to watch it.
@Suite(.serialized) struct OnboardingDaemonTests {
  private final class Running: Sendable {
    let daemon: Daemon
    private let orders = OrderQueue()
    private let task: Task<ExitCode, any Error>

    init(_ more: String, in folder: String) async throws {
      try Self.write(more, in: folder)
      let file = "\(folder)/pinwarden.json5"
      let result = ConfigurationLoader.load(file: file, environment: [:])
      let daemon = try Daemon(
        try #require(result.configuration, "\(result.findings)"), orders: orders, file: file,
        overrides: CommandLineOverrides())
      self.daemon = daemon
      task = Task { try await daemon.run() }
      for _ in 0..<5_000 where !daemon.control.isReady { try await Task.sleep(for: .milliseconds(2)) }
      try #require(daemon.control.isReady)
    }

    static func write(_ more: String, in folder: String) throws {
      let text = """
        { listeners: [{ address: '127.0.0.1:0' }], stateDirectory: 'state', log: { level: 'error' }, console: null, \(more) }
        """
      try text.write(toFile: "\(folder)/pinwarden.json5", atomically: true, encoding: .utf8)
    }

    func end() async throws -> ExitCode {
      orders.place(.end("test"))
      return try await task.value
    }

    var page: String {
      let request = InternalRequest(path: "/", proxy: "192.0.2.1:8080")
      return String(decoding: daemon.site.answer(request).body, as: UTF8.self)
    }
  }

  private func inFolder(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pinwarden-\(UUID().uuidString)").path()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(folder)
  }

  @Test func devicesAreKeptForTheOwnerAlone() async throws {
    try await inFolder { folder in
      let first = try await Running("", in: folder)
      var request = InternalRequest(path: "/doctor/ping", proxy: "")
      request.client = "192.0.2.7"
      request.way = .securedProxy
      _ = first.daemon.site.answer(request)
      let before = first.daemon.control.devices()
      #expect(String(decoding: before, as: UTF8.self).contains("\"certificate\":\"trusted\""))
      #expect(try await first.end() == .success)
      let mode = try FileManager.default.attributesOfItem(atPath: "\(folder)/state/devices.json")[.posixPermissions]
      #expect(mode as? Int == 0o600)
      let second = try await Running("", in: folder)
      #expect(second.daemon.control.devices() == before)
      #expect(try await second.end() == .success)
    }
  }

  @Test func theListenerComesMovesAndGoes() async throws {
    try await inFolder { folder in
      let running = try await Running("", in: folder)
      #expect(running.daemon.onboarding.listening == nil && running.page.contains("http://pinwarden.internal/"))
      try Running.write("onboarding: { address: '127.0.0.1:0', ssid: 'Lab' }", in: folder)
      try await running.daemon.control.reload()
      let port = try #require(running.daemon.onboarding.listening?.address.port)
      #expect(running.page.contains("http://127.0.0.1:\(port)/"))
      // Whatever else changes, it stays.
      try Running.write("onboarding: { address: '127.0.0.1:0' }", in: folder)
      try await running.daemon.control.reload()
      #expect(running.daemon.onboarding.listening?.address.port == port)
      // A place that is taken changes nothing.
      let taken = try #require(running.daemon.server.listening.first?.address)
      try Running.write("onboarding: { address: '\(taken)' }", in: folder)
      await #expect(throws: ControlFault.self) { try await running.daemon.control.reload() }
      #expect(running.daemon.onboarding.listening?.address.port == port)
      try Running.write("", in: folder)
      try await running.daemon.control.reload()
      #expect(running.daemon.onboarding.listening == nil && !running.page.contains(":\(port)/"))
      #expect(try await running.end() == .success)
    }
  }

  // MARK: operators' files

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "config")

  @Test func whatIsAskedForIsMeasured() async throws {
    try await inFolder { folder in
      let running = try await Running("", in: folder)
      let text = running.daemon.server.metricsText()
      #expect(try await running.end() == .success)
      var names = Set(text.matches(of: /# TYPE (pinwarden_\w+) (?:counter|gauge)\n/).map { String($0.1) })
      for histogram in text.matches(of: /# TYPE (pinwarden_\w+) histogram\n/) {
        for suffix in ["_bucket", "_sum", "_count"] { names.insert(histogram.1 + suffix) }
      }
      for file in ["grafana-dashboard.json", "prometheus.yml"] {
        let text = try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8)
        let asked = Set(text.matches(of: /\bpinwarden_\w+/).map { String($0.0) })
        #expect(!asked.isEmpty && asked.subtracting(names).isEmpty, "\(file)")
      }
    }
  }

  @Test func theDashboardIsComplete() throws {
    let data = try Data(contentsOf: Self.folder.appending(path: "grafana-dashboard.json"))
    let board = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    let panels = try #require(board["panels"] as? [[String: Any]])
    #expect(board["title"] as? String == "pinwarden" && board["schemaVersion"] is Int)
    #expect(Set(panels.compactMap { $0["id"] as? Int }).count == panels.count)
    var taken: Set<[Int]> = []
    for panel in panels {
      let place = try #require(panel["gridPos"] as? [String: Int])
      let (x, y, width, height) = (place["x"] ?? -1, place["y"] ?? -1, place["w"] ?? 0, place["h"] ?? 0)
      #expect(x >= 0 && x + width <= 24 && width > 0 && height > 0)
      for row in y..<y + height {
        for column in x..<x + width { #expect(taken.insert([row, column]).inserted, "panels overlap at \(row)") }
      }
      guard panel["type"] as? String != "row" else { continue }
      let targets = try #require(panel["targets"] as? [[String: Any]])
      #expect(!targets.isEmpty && targets.allSatisfy { ($0["expr"] as? String)?.contains("pinwarden_") == true })
    }
  }
}
