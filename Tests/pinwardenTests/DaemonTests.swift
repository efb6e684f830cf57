import Authority
import Configuration
import EventLoop
import Foundation
import Names
import Policy
import Proxy
import Records
import Testing

@testable import pinwarden

/// The daemon as a whole, told what to do by orders.
@Suite(.serialized) struct DaemonTests {
  private final class Running: Sendable {
    let daemon: Daemon
    let orders = OrderQueue()
    let folder: String
    private let task: Task<ExitCode, any Error>

    init(_ more: String = "") async throws {
      folder = FileManager.default.temporaryDirectory.appending(path: "pinwarden-\(UUID().uuidString)").path()
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Self.write(more, in: folder)
      let result = ConfigurationLoader.load(file: "\(folder)/pinwarden.json5", environment: [:])
      let daemon = try Daemon(
        try #require(result.configuration, "\(result.findings)"), orders: orders, file: "\(folder)/pinwarden.json5",
        overrides: CommandLineOverrides())
      self.daemon = daemon
      task = Task { try await daemon.run() }
      for _ in 0..<5_000 where !daemon.control.isReady { try await Task.sleep(for: .milliseconds(2)) }
      try #require(daemon.control.isReady)
    }

    /// Writes the configuration; it has a console on a free port unless `more` says otherwise.
    static func write(_ more: String, in folder: String) throws {
      let console = more.contains("console:") ? "" : "console: { address: '127.0.0.1:0' },"
      let text =
        "{ listeners: [{ address: '127.0.0.1:0' }], stateDirectory: 'state', log: { level: 'error' }, \(console) \(more) }"
      try text.write(toFile: "\(folder)/pinwarden.json5", atomically: true, encoding: .utf8)
    }

    func end() async throws -> ExitCode {
      orders.place(.end("test"))
      defer { try? FileManager.default.removeItem(atPath: folder) }
      return try await task.value
    }
  }

  @Test func theWhitelistIsInForceKeptAndSeenByWhoeverLoads() async throws {
    let running = try await Running("rules: { whitelist: ['https://configured.test'] }")
    let control = running.daemon.control
    #expect(control.whitelist().map { "\($0)" } == ["https://configured.test"])
    try await control.replaceWhitelist([try WebOrigin("https://set.test:8443")])
    #expect(control.whitelist().map { "\($0)" } == ["https://set.test:8443"])
    let loaded = ConfigurationLoader.load(file: "\(running.folder)/pinwarden.json5", environment: [:])
    #expect(loaded.configuration?.whitelist == control.whitelist())
    // A reload does not take it away.
    try await control.reload()
    #expect(control.whitelist().map { "\($0)" } == ["https://set.test:8443"])
    let explained = try control.explain(Array(#"{"url":"https://set.test:8443/"}"#.utf8))
    #expect(String(decoding: explained, as: UTF8.self).contains(#""decidedBy":"whitelist""#))
    #expect(try await running.end() == .success)
  }

  @Test func whatCannotBeKeptIsNotInForce() async throws {
    let running = try await Running()
    let path = "\(running.folder)/state/whitelist.json"
    // A folder is in the way of the file.
    try FileManager.default.createDirectory(atPath: "\(path)/x", withIntermediateDirectories: true)
    await #expect(throws: ControlFault.self) {
      try await running.daemon.control.replaceWhitelist([try WebOrigin("https://a.test")])
    }
    #expect(running.daemon.control.whitelist().isEmpty)
    #expect(try await running.end() == .success)
  }

  @Test func anInvalidFileChangesNothingAndSaysWhy() async throws {
    let running = try await Running("rules: { default: 'reject' }")
    let before = running.daemon.control.policy()
    let address = running.daemon.console.listening?.address
    try "{ upstrem: 1 }".write(toFile: "\(running.folder)/pinwarden.json5", atomically: true, encoding: .utf8)
    let fault = await #expect(throws: ControlFault.self) { try await running.daemon.control.reload() }
    #expect(fault?.kind == .rejected && fault?.reason.contains("upstrem") == true)
    #expect(running.daemon.control.policy() == before && running.daemon.console.listening?.address == address)
    #expect(try await running.end() == .success)
  }

  @Test func aReloadMovesTheConsoleAndSwitchesItOff() async throws {
    let running = try await Running()
    let first = try #require(running.daemon.console.listening?.address)
    try Running.write("console: { address: '\(first)', token: 'another-token' }", in: running.folder)
    try await running.daemon.control.reload()
    #expect(running.daemon.console.listening?.address == first, "it is there already")
    try Running.write("console: { address: '[::1]:0' }", in: running.folder)
    try await running.daemon.control.reload()
    #expect(running.daemon.console.listening?.address.ipText == "::1")
    try Running.write("console: null", in: running.folder)
    try await running.daemon.control.reload()
    #expect(running.daemon.console.listening == nil)
    // The port of the first is free again, or not ours any more; either way a new one can be had.
    try Running.write("", in: running.folder)
    try await running.daemon.control.reload()
    #expect(running.daemon.console.listening?.address.ipText == "127.0.0.1")
    #expect(try await running.end() == .success)
  }

  @Test func aConsoleThatCannotMoveStaysWhereItIs() async throws {
    let running = try await Running()
    let first = try #require(running.daemon.console.listening?.address)
    let taken = try #require(running.daemon.server.listening.first?.address)
    try Running.write("console: { address: '\(taken)' }, rules: { default: 'reject' }", in: running.folder)
    let fault = await #expect(throws: ControlFault.self) { try await running.daemon.control.reload() }
    #expect(fault?.reason.contains(taken) == true)
    #expect(running.daemon.console.listening?.address == first)
    #expect(running.daemon.control.configuration.defaultLane.policy.rules.defaultAction == .intercept)
    #expect(try await running.end() == .success)
  }

  @Test func questionsAreAnsweredOneOrMany() async throws {
    let running = try await Running("rules: { hosts: [{ host: 'a.test', action: 'reject' }] }")
    func ask(_ text: String) throws -> String {
      String(decoding: try running.daemon.control.explain(Array(text.utf8)), as: UTF8.self)
    }
    #expect(try ask(#"{"url":"https://a.test/"}"#).contains(#""action":"deny""#))
    let both = try ask(#" [{"url":"https://b.test/"},{"url":"x"}]"#)
    let answers = try #require(JSONSerialization.jsonObject(with: Data(both.utf8)) as? [[String: Any]])
    #expect(answers.count == 2 && answers[0]["steps"] != nil && answers[1]["error"] is [String: Any])
    for bad in ["", "{}", "x", #"{"url":"x"}"#, "[1]"] { #expect(throws: ControlFault.self) { try ask(bad) } }
    #expect(try await running.end() == .success)
  }

  @Test func ordersThatComeTooLateAreRefused() async {
    let result = await withCheckedContinuation { continuation in
      Order.reload { continuation.resume(returning: $0) }.refuse()
    }
    #expect(throws: ControlFault(.unavailable, "the daemon is ending")) { try result.get() }
  }
}
