import Foundation
import Names
import Policy
import Testing

@testable import Configuration

@Suite struct StoredWhitelistTests {
  /// Loads `text` with a state directory that holds `stored`; nil: none.
  private func loaded(_ text: String, stored: String?) throws -> LoadResult {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pinwarden-\(UUID().uuidString)").path()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try stored?.write(toFile: "\(folder)/whitelist.json", atomically: true, encoding: .utf8)
    return load(text, overrides: CommandLineOverrides(stateDirectory: folder))
  }

  private let configured = "{ rules: { whitelist: ['https://configured.test'] } }"

  @Test func itCountsInPlaceOfTheConfigurations() throws {
    let result = try loaded(configured, stored: #"["https://stored.test", "http://Other.test:8080/"]"#)
    let configuration = try #require(result.configuration, "\(result.said(.error))")
    #expect(configuration.whitelist.map { "\($0)" } == ["https://stored.test", "http://other.test:8080"])
    #expect(configuration.defaultLane.policy.rules.whitelist == configuration.whitelist)
    let note = try #require(result.findings(.note).first)
    #expect(note.keyPath == "rules.whitelist" && note.file.hasSuffix("/whitelist.json"))
    #expect(note.message.contains("in place of"))
  }

  @Test func withoutOneTheConfigurationsCounts() throws {
    let result = try loaded(configured, stored: nil)
    #expect(result.configuration?.whitelist.map { "\($0)" } == ["https://configured.test"])
    #expect(result.findings.isEmpty)
  }

  @Test func anEmptyOneCountsToo() throws {
    #expect(try loaded(configured, stored: "[]").configuration?.whitelist == [])
  }

  @Test(arguments: ["", "{}", "[1]", #"["a.test"]"#, #"["https://a.test/x"]"#, "[\"https://a.test\""])
  func aDamagedOneIsAnErrorAndNotAnEmptyList(stored: String) throws {
    let result = try loaded(configured, stored: stored)
    #expect(result.configuration == nil)
    #expect(result.findings(.error).map(\.keyPath) == ["rules.whitelist"], "\(result.said(.error))")
  }

  @Test func anotherWhitelistReachesTheLanesThatShareTheRules() throws {
    let text = """
      { rules: { whitelist: ['https://one.test'], hosts: [{ host: 'a.test', action: 'reject' }], emptyWhitelist: 'bypass' },
        lanes: { own: { rules: { whitelist: ['https://own.test'] } }, shared: { ats: { os: '26.0' } } } }
      """
    let before = try #require(load(text).configuration)
    let origin = try WebOrigin("https://two.test")
    let after = before.replacing(whitelist: [origin])
    #expect(after.whitelist == [origin] && before.whitelist != after.whitelist)
    for name in ["default", "shared"] {
      let lane = try #require(after.lanes[name])
      #expect(lane.policy.rules.exempts(origin) && lane.policy.rules.hosts.count == 1)
      #expect(lane.policy.rules.emptyWhitelist == .bypass && lane.policy.ats.os == before.lanes[name]?.policy.ats.os)
    }
    #expect(after.lanes["own"] === before.lanes["own"] && after.defaultLane === after.lanes["default"])
    #expect(after.lane(client: nil, listenerLane: "shared", user: nil) === after.lanes["shared"])
  }
}
