import Foundation
import HTTP
import Records
import Testing

@testable import Console

@Suite struct SurveyEndpointTests {
  private func router(_ archive: FakeArchive?) -> Router {
    Router(control: FakeControl(archive), log: Kit.silentLog, version: "1", page: Kit.page)
  }

  private func answer(_ target: String, _ archive: FakeArchive?) throws -> Answer {
    let request = try #require(Kit.request(.get, target, [Kit.bearer]))
    let route = try #require(Route(path: request.path))
    switch router(archive).outcome(of: request, route: route, visitor: .tokenHolder) {
    case .now(let answer): return answer
    case .work(let job): return job()
    case .preparation, .task:
      Issue.record("\(target) is answered in another way")
      return .text("")
    }
  }

  private func object(_ target: String, _ archive: FakeArchive?) throws -> [String: Any] {
    let answer = try answer(target, archive)
    #expect(answer.status == 200, "\(answer.text)")
    return try #require(JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any])
  }

  private let two = FakeArchive([Kit.stored(1), Kit.stored(2)])

  @Test func exchangesAreCounted() throws {
    #expect(try object("/api/exchanges/count?host=a.test", two)["count"] as? Int == 2)
    #expect(try answer("/api/exchanges/count?limit=1", two).status == 400)
  }

  @Test func hostsAreToldWithWhatAnInfoPlistNeeds() throws {
    let hosts = try #require(try object("/api/hosts", two)["hosts"] as? [[String: Any]])
    let host = try #require(hosts.first)
    #expect(host["host"] as? String == "a.test" && host["requests"] as? Int == 2 && host["encrypted"] as? Bool == false)
    #expect(host["violations"] as? [String: Int] == ["cleartext": 2])
    #expect(host["exception"] as? [String: Bool] == ["NSExceptionAllowsInsecureHTTPLoads": true])
    #expect(host["last"] as? String == "1970-01-01T00:00:01.000Z")
  }

  @Test func seriesLeaveEmptyStepsOut() throws {
    let series = try object("/api/series?minutes=5", two)
    let buckets = try #require(series["buckets"] as? [[String: Any]])
    #expect(series["step"] as? Int == 5_000 && buckets.count == 1)
    #expect((buckets.first?["verdicts"] as? [String: Int])?["deny"] == 2)
    #expect((buckets.first?["latency"] as? [String: Double])?["p50"].map { abs($0 - 10) < 1 } == true)
  }

  @Test(arguments: ["minutes=0", "minutes=10081", "minutes=x", "minutes=1&minutes=2", "hours=1"])
  func badTimesAreRefused(query: String) throws {
    #expect(try answer("/api/series?\(query)", two).status == 400)
  }

  @Test(arguments: [1, 5, 60, 1_440, 10_080]) func stepsAreFewAndCoverTheTime(minutes: Int) {
    let now: Int64 = 1_772_323_217_123
    let span = SeriesParameter.span(minutes: minutes, now: now)
    #expect(span.stepCount <= 122 && span.start % span.step == 0 && span.start <= now - Int64(minutes) * 60_000)
    #expect(span.start + span.step * Int64(span.stepCount) > now)
  }

  @Test func bodiesAreGivenAsTheyWere() throws {
    let message = CapturedMessage(fields: [.init(name: "Content-Type", value: "text/html")], body: [0x3C, 0, 0xFF])
    let archive = FakeArchive([Kit.stored(1, response: message)])
    let answer = try answer("/api/exchanges/0000000000000001/body/response", archive)
    guard case .bytes(let bytes) = answer.body else {
      Issue.record("no bytes")
      return
    }
    #expect(bytes == message.body && answer["Content-Type"] == "application/octet-stream")
    #expect(answer["Content-Disposition"]?.hasPrefix("attachment") == true && answer["Cache-Control"] == "no-store")
  }

  @Test(arguments: [
    "/api/exchanges/0000000000000001/body/request", "/api/exchanges/0000000000000009/body/response",
    "/api/exchanges/x/body/response",
  ])
  func bodiesThatWereNotKeptAreNotFound(path: String) throws {
    #expect(try answer(path, FakeArchive([Kit.stored(1)])).status == 404)
  }

  @Test(arguments: ["/api/hosts", "/api/series", "/api/exchanges/count"]) func historiesMayFailOrBeOff(path: String)
    throws
  {
    #expect(try answer(path, nil).status == 404)
    #expect(try answer(path, FakeArchive(isUnreadable: true)).status == 500)
  }
}
