import Foundation
import Glibc
import Policy
import Records
import Testing

@testable import pinwarden

@Suite struct HarCommandTests {
  private let folder: String
  private var output: String { "\(folder)/out.har" }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "pinwarden-\(UUID().uuidString)").path()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
  }

  /// A state directory with exchanges of these hosts.
  private func record(_ hosts: String...) {
    let history = ExchangeHistory(
      HistorySettings(directory: folder, byteCount: 1 << 20, exchangeCount: 100)
    ) { _ in }
    history.submit(
      hosts.enumerated().map { number, host in
        let record = ExchangeRecord(
          started: Log.now, ended: Log.now, identifier: UInt64(number), lane: "default", client: "127.0.0.1:1",
          context: .app, clientProtocol: "h2", method: "GET",
          url: RecordURL(scheme: "https", authority: host, path: Array("/".utf8)[...]), status: 200,
          action: .intercept, decidedBy: .default, rule: nil, ats: ATSVerdict(outcome: .pass), os: "18.4")
        return RecordedExchange(record: record, request: nil, response: nil)
      })
    history.close(milliseconds: 10_000)
  }

  private func run(_ words: String...) async -> ExitCode {
    let code = await Program.run(["har", "--store", folder] + words)
    return code
  }

  private func urls() throws -> [String] {
    let data = try Data(contentsOf: URL(filePath: output))
    let root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let entries = try #require((root["log"] as? [String: Any])?["entries"] as? [[String: Any]])
    return entries.compactMap { ($0["request"] as? [String: Any])?["url"] as? String }
  }

  @Test func `it writes what was recorded, and takes the place of an older file`() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    record("a.test", "b.test:8443")
    try Data("old".utf8).write(to: URL(filePath: output))
    #expect(await run("-o", output) == .success)
    #expect(try urls() == ["https://a.test/", "https://b.test:8443/"])
    #expect(await run("--host", "B.test", "--since", "1h", "-o", output) == .success)
    #expect(try urls() == ["https://b.test:8443/"])
    #expect(await run("--since", "2100-01-01", "-o", output) == .success)
    #expect(try urls().isEmpty)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("out") }
    #expect(left == ["out.har"], "no draft stays")
  }

  @Test func `what cannot be is told by its code, and nothing is written`() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(await run("-o", output) == .unreadable, "there is no history")
    #expect(await Program.run(["har", "--store", "/nowhere", "-o", output]) == .unreadable)
    record("a.test")
    #expect(await run("-o", "/proc/none/out.har") == .cannotCreate)
    #expect(await run() == .usage)
    #expect(await run("--since", "yesterday", "-o", output) == .usage)
    #expect(await run("--host", "a b", "-o", output) == .usage)
    try Data(repeating: 1, count: 9_000).write(to: URL(filePath: HistorySettings.path(in: folder)))
    #expect(await run("-o", output) == .unreadable)
    #expect(!FileManager.default.fileExists(atPath: output))
  }

  @Test func `a name that is a pipe or a device is written to, not replaced`() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    record("a.test")
    let pipe = "\(folder)/pipe"
    try #require(mkfifo(pipe, 0o600) == 0)
    let reading = open(pipe, O_RDONLY | O_NONBLOCK)
    defer { close(reading) }
    #expect(await run("-o", pipe) == .success)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = read(reading, &buffer, buffer.count)
    #expect(String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).contains("https://a.test/"))
    var facts = stat()
    #expect(stat(pipe, &facts) == 0 && facts.st_mode & S_IFMT == S_IFIFO)
  }
}

@Suite struct SinceTimeTests {
  private static let now: Int64 = 2_000_000_000_000

  @Test(arguments: [
    ("90s", now - 90_000), ("30m", now - 1_800_000), ("2h", now - 7_200_000), ("7d", now - 604_800_000), ("0s", now),
    ("1970-01-02", 86_400_000), ("1970-01-01T00:00:01Z", 1_000), ("1970-01-01T00:01", 60_000),
    ("1970-01-01 00:00:01", 1_000), ("1970-01-01T01:00:00+01:00", 0), ("1970-01-01T00:00:00.500Z", 500),
    ("1969-12-31T23:00:00-01:00", 0),
  ])
  func `a moment is read`(text: String, moment: Int64) {
    #expect(SinceTime.milliseconds(text, now: Self.now) == moment)
  }

  @Test(arguments: [
    "", "x", "h", "-1h", "1.5h", "1w", "99999999999h", "1970-13-01", "1970-01-01T25:00:00Z", "1970-01-01Tx",
    "yesterday",
    "1970-01-01T00:00:00Znonsense", "19700101",
  ])
  func `nonsense is no moment`(text: String) {
    #expect(SinceTime.milliseconds(text, now: Self.now) == nil)
  }
}
