import Foundation
import Policy
import TLS
import Testing

@testable import Configuration

/// Log lists in JSON, and what `check` says of them.
@Suite struct LogListTests {
  /// Public keys of logs that never were.
  private static let keys = [
    "zmDMkpKGiaA1WPuYVbQ6blN9DwnHXDZB9wZK/ryWaZBswdvv9QM5G5vpDFNLXYgUbS2hOKbQrJQ5ZM2JZe7IXQ==",
    "lLPkisYky8UBbcAn4IQg9A1AkjDw2m5Zj3cICwvKFnavgmuxwg4e0D2RQLjgp8BFkTpICkq+eWNxPWAtJwt1tA==",
    "l8BDwKmpDQKzBiSlkgLu9a6S0Al2ObxKzOvCRdaccug0USi61HzneGB9zum1yE3a439oWBQ7wUTnIw0bU4C/7w==",
    "xbvA8BV4FLg1EFG117FvpdJGLddXc/xZfuCSNAcNjCZ7zkiCkj27cArhsSOzPlttYLmbrHkHLBNNVRFzQFZqwA==",
  ].map { "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE" + $0 }
  private static let p384 =
    "MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAETsSOZQ9jyax6aLfBlQnGF7SCBSpeSvaYbvNrqbj2SamAta4SahrIjw6V3KXOdlgoNj"
    + "HIxFe45pAsWB4u1tuxCsyX2qYJIJA/Niz195UtbimnyE1XQwCCvNJoFq634s8f"

  private static func identifier(_ index: Int) -> [UInt8] {
    Digest.sha256(Array(Data(base64Encoded: keys[index]) ?? Data()))
  }

  private static func log(
    _ index: Int, _ members: String = "\"state\": {\"usable\": {\"timestamp\": \"2025-01-01T00:00:00Z\"}}"
  )
    -> String
  {
    """
    {"description": "log \(index)", "log_id": "\(Data(identifier(index)).base64EncodedString())", "key": "\(keys[index])",
     "url": "https://log.test/", "mmd": 86400, \(members)}
    """
  }

  private static func list(
    _ logs: [String], tiled: [String] = [], published: String = "2026-12-20T10:00:00Z", more: String = ""
  ) -> String {
    """
    {"version": "80.1", "log_list_timestamp": "\(published)", \(more) "operators": [
      {"name": "Google", "email": ["ct@log.test"], "logs": [\(logs.joined(separator: ",\n"))],
       "tiled_logs": [\(tiled.joined(separator: ",\n"))]}]}
    """
  }

  private static func read(_ text: String) -> LogListDocument { LogListReader.read(Array(text.utf8)) }

  private static func state(_ text: String) -> TransparencyLog.State? {
    read(list([log(0, "\"state\": \(text)"), log(1)])).list?.logs[identifier(0)]?.state
  }

  @Test func `a list has its logs with all that counts`() throws {
    let shard = """
      "state": {"qualified": {"timestamp": "2025-01-01T00:00:00Z"}}, "log_type": "prod",
      "temporal_interval": {"start_inclusive": "2026-01-01T00:00:00Z", "end_exclusive": "2027-01-01T00:00:00Z"},
      "previous_operators": [{"name": "Later", "end_time": "2025-06-01T00:00:00Z"},
                             {"name": "Earlier", "end_time": "2024-01-01T00:00:00.500Z"}]
      """
    let document = Self.read(Self.list([Self.log(0), Self.log(1, shard)], tiled: [Self.log(2)]))
    #expect(document.faults.isEmpty)
    let list = try #require(document.list)
    #expect(list.published == 1_797_760_800 && list.logs.count == 3)
    #expect(Set(document.keys.keys) == Set((0..<3).map(Self.identifier)))
    #expect(
      list.logs[Self.identifier(1)]
        == TransparencyLog(
          identifier: Self.identifier(1), description: "log 1", operatorName: "Google",
          formerOperators: [
            TransparencyLog.FormerOperator(name: "Earlier", end: 1_704_067_200_500),
            TransparencyLog.FormerOperator(name: "Later", end: 1_748_736_000_000),
          ], state: .qualified, interval: 1_767_225_600..<1_798_761_600))
    #expect(list.logs[Self.identifier(2)]?.interface == .tiled && list.logs[Self.identifier(0)]?.interface == .rfc6962)
  }

  @Test func `every state is told apart`() {
    let moment = "{\"timestamp\": \"2025-01-01T00:00:00Z\"}"
    let milliseconds: UInt64 = 1_735_689_600_000
    for (name, state) in [
      ("pending", TransparencyLog.State.pending), ("qualified", .qualified), ("usable", .usable),
      ("rejected", .rejected), ("readonly", .readOnly(since: milliseconds)), ("retired", .retired(since: milliseconds)),
    ] {
      #expect(Self.state("{\"\(name)\": \(moment)}") == state)
    }
    #expect(Self.state("null") == .pending)
    for text in [
      "{}", "\"usable\"", "{\"new\": \(moment)}", "{\"retired\": {}}", "{\"usable\": {}, \"retired\": \(moment)}",
    ] {
      #expect(Self.state(text) == nil, "\(text)")
    }
  }

  @Test func `logs for tests do not count`() {
    for (kind, isForTests) in [("prod", false), ("test", true), ("monitoring_only", true)] {
      let text = Self.list([
        Self.log(0, "\"state\": {\"usable\": {}}, \"log_type\": \"\(kind)\""), Self.log(1),
      ])
      #expect(Self.read(text).list?.logs[Self.identifier(0)]?.isForTests == isForTests)
    }
  }

  @Test(arguments: [
    (log(0, "\"state\": {\"new\": {}}"), "`new` is not known"),
    (log(0).replacingOccurrences(of: keys[0], with: "AAAA"), "its `key` cannot be used"),
    (log(0).replacingOccurrences(of: keys[0], with: p384), "P-256"),
    (log(0).replacingOccurrences(of: keys[0], with: "???"), "no `key` in base64"),
    (log(0).replacingOccurrences(of: keys[0], with: keys[1]), "`log_id` is not the digest"),
    (log(3), "twice"),
    (log(0, "\"temporal_interval\": {\"start_inclusive\": \"2026-01-01T00:00:00Z\"}"), "`end_exclusive`"),
    (
      log(
        0,
        "\"temporal_interval\": {\"start_inclusive\": \"2026-01-01T00:00:00Z\", \"end_exclusive\": \"2026-01-01T00:00:00Z\"}"
      ), "ends before it begins"
    ),
    (log(0, "\"previous_operators\": [{}]"), "no `name`"), ("[]", "no `key`"), ("7", "no `key`"),
  ]) func `a log that cannot be used is left out`(_ text: String, _ words: String) throws {
    let document = Self.read(Self.list([Self.log(3), text]))
    #expect(document.list?.logs.keys.map { $0 } == [Self.identifier(3)])
    let fault = try #require(document.faults.first)
    #expect(
      document.faults.count == 1 && fault.level == .warning && fault.message.contains(words), "\(document.faults)")
    #expect(fault.offset != nil)
  }

  @Test(arguments: [
    ("", "no JSON"), ("{", "no JSON"), ("[]", "object"), ("{}", "`operators`"),
    ("{\"operators\": {}, \"logs\": []}", "version 1"), ("{\"operators\": []}", "`log_list_timestamp`"),
    (list([log(0)], published: "yesterday"), "no time"), (list([]), "no log of the list"),
    (list([log(0, "\"state\": {\"retired\": {\"timestamp\": \"2025-01-01T00:00:00Z\"}}")]), "no log of the list"),
    (list([log(0), log(0)]).replacingOccurrences(of: "\"version\"", with: "\"operators\""), "no JSON"),
  ]) func `a list that cannot be used is an error`(_ text: String, _ words: String) throws {
    let document = Self.read(text)
    #expect(document.list == nil && document.keys.isEmpty)
    let errors = document.faults.filter { $0.level == .error }
    #expect(errors.count == 1 && errors.first?.message.contains(words) == true, "\(document.faults)")
  }

  @Test func `there is an end to warnings`() {
    let document = Self.read(Self.list([Self.log(0)] + [String](repeating: "{}", count: 200)))
    #expect(document.list != nil && document.faults.count == 51)
    #expect(document.faults.last?.message == "150 more warnings are left out")
  }

  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("2026-12-20T10:00:00Z", 1_797_760_800_000),
      ("2024-02-29T23:59:59.999Z", 1_709_251_199_999),
      ("2026-01-01T01:00:00+01:00", 1_767_225_600_000), ("2025-12-31T23:30:00-00:30", 1_767_225_600_000),
      ("2016-12-31T23:59:60Z", 1_483_228_799_000), ("2000-03-01t00:00:00z", 951_868_800_000),
      ("9999-12-31T23:59:59Z", 253_402_300_799_000), ("2026-01-01T00:00:00.1Z", 1_767_225_600_100),
      ("1969-12-31T23:59:59Z", nil), ("2026-02-29T00:00:00Z", nil), ("2100-02-29T00:00:00Z", nil),
      ("2026-13-01T00:00:00Z", nil), ("2026-01-00T00:00:00Z", nil), ("2026-01-01T24:00:00Z", nil),
      ("2026-01-01T00:00:00", nil), ("2026-01-01", nil), ("2026-01-01T00:00:00.Z", nil), ("2026-01-01T00:00:00Zx", nil),
      ("1970-01-01T00:00:00+01:00", nil), ("+026-01-01T00:00:00Z", nil),
    ] as [(String, UInt64?)]) func `times`(_ text: String, _ milliseconds: UInt64?)
  {
    #expect(InternetTime.milliseconds(text) == milliseconds)
  }

  // MARK: check

  /// Loads a configuration with this list beside it.
  private func loadWith(_ list: String?, _ text: String) throws -> LoadResult {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try list?.write(toFile: "\(folder)/logs.json", atomically: true, encoding: .utf8)
    return load(text.replacingOccurrences(of: "FILE", with: "\(folder)/logs.json"))
  }

  private static let requiring = """
    { ct: { logList: 'FILE' }, trust: { t: { requiresCertificateTransparency: true } }, rules: { hosts: [{ host: 'a.test', trust: 't' }] } }
    """

  @Test func `a policy that requires transparency has the list`() throws {
    let result = try loadWith(Self.list([Self.log(0)]), Self.requiring)
    let configuration = try #require(result.configuration, "\(result.said(.error))")
    #expect(result.findings.isEmpty)
    #expect(configuration.transparency.keys.count == 1)
    let policy = try #require(configuration.defaultLane.policy.trust["t"])
    #expect(
      policy.transparency?.logs === configuration.transparency.logList && policy.transparency?.maximumAge == 6_048_000)
    #expect(!policy.fetchIntermediates)
    let other = load(
      "{ trust: { t: { fetchIntermediates: true } }, rules: { hosts: [{ host: 'a.test', trust: 't' }] } }")
    #expect(other.findings.isEmpty && other.configuration?.defaultLane.policy.trust["t"]?.fetchIntermediates == true)
    #expect(other.configuration?.defaultLane.policy.trust["t"]?.transparency == nil)
  }

  @Test func `without a list it is an error`() {
    let result = load(
      "{ trust: { t: { requiresCertificateTransparency: true } }, rules: { hosts: [{ host: 'a', trust: 't' }] } }")
    #expect(result.configuration == nil)
    #expect(result.findings(.error).map(\.keyPath) == ["trust.t.requiresCertificateTransparency"])
    #expect(result.said(.error).contains("ct.logList"))
  }

  @Test func `a list that cannot be read or used is one error with its place`() throws {
    let missing = try loadWith(nil, Self.requiring)
    #expect(missing.findings(.error).map(\.keyPath) == ["ct.logList"])
    #expect(missing.said(.error).contains("No such file"))
    let broken = try loadWith("{\n  \"operators\": }", Self.requiring)
    #expect(broken.findings(.error).count == 1)
    #expect(
      broken.findings(.error).first?.line == 2 && broken.said(.error).contains("logs.json:2:16: error: ct.logList:"))
    let old = try loadWith("{ \"logs\": [] }", Self.requiring)
    #expect(old.said(.error).contains("version 1"))
  }

  /// Fixtures.now is 2026-12-23.
  @Test(
    arguments: [
      ("2026-12-20T10:00:00Z", nil), ("2026-10-28T10:00:00Z", nil), ("2026-10-26T00:00:00Z", "counts for"),
      ("2026-10-15T10:00:00Z", "counts for"), ("2026-10-13T00:00:00Z", "refuse every origin"),
      ("2026-12-24T00:00:00Z", nil), ("2027-01-01T00:00:00Z", "in the future"),
    ] as [(String, String?)]) func `age is warned of`(_ published: String, _ words: String?) throws
  {
    let result = try loadWith(Self.list([Self.log(0)], published: published), Self.requiring)
    #expect(result.configuration != nil)
    #expect(result.findings.map(\.keyPath) == (words == nil ? [] : ["ct.logList"]), "\(result.said(.warning))")
    if let words { #expect(result.said(.warning).contains(words)) }
  }

  @Test func `requiring it of private roots is warned of`() throws {
    let own = Self.requiring.replacingOccurrences(of: "{ t: {", with: "{ t: { anchors: ['root.pem'],")
    let result = try loadWith(Self.list([Self.log(0)]), own)
    #expect(result.said(.warning).contains("all chains of the policy end in its own `anchors`"))
    let general = Self.requiring.replacingOccurrences(of: "{ ct:", with: "{ upstream: { anchors: 'root.pem' }, ct:")
    #expect(try loadWith(Self.list([Self.log(0)]), general).said(.warning).contains("`upstream.anchors`"))
    let both = own.replacingOccurrences(of: "anchors: [", with: "anchorsOnly: false, anchors: [")
    #expect(try loadWith(Self.list([Self.log(0)]), both).findings.isEmpty)
  }
}
