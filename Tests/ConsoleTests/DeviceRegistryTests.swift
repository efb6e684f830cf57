import Foundation
import Records
import Synchronization
import Testing

@testable import Console

@Suite struct DeviceRegistryTests {
  /// A clock that tests set, and what was saved.
  private final class World: Sendable {
    let now = Mutex<Int64>(1_000_000_000_000)
    let saved = Mutex<[[UInt8]]>([])

    func registry(_ kept: [UInt8] = []) -> DeviceRegistry {
      DeviceRegistry(
        kept: kept, now: { self.now.withLock { $0 } }, save: { bytes in self.saved.withLock { $0.append(bytes) } })
    }

    func pass(_ milliseconds: Int64) { now.withLock { $0 += milliseconds } }
  }

  private let world = World()
  private let key = Device.Key(client: "192.0.2.7", lane: "default")

  @Test func aDeviceGoesItsWay() {
    let registry = world.registry()
    func report(_ event: DeviceRegistry.Event) -> DoctorReport {
      world.pass(60_000)
      return DoctorReport(registry.note(event, of: key))
    }
    #expect(report(.visit(.direct)).missing == .proxy)
    #expect(report(.download).missing == .proxy)
    let proxied = report(.visit(.proxy))
    #expect(proxied.proxy == .ok && proxied.certificate == .unknown && proxied.missing == nil)
    let refused = report(.refusal("the client refused"))
    #expect(refused.certificate == .refused && refused.missing == .trust)
    let trusted = report(.visit(.securedProxy))
    #expect(trusted.certificate == .trusted && trusted.missing == nil)
    #expect(report(.refusal("again")).certificate == .refused, "the last word counts")
    #expect(report(.visit(.direct)).proxy == .missing, "the proxy was switched off")
  }

  @Test func whoHasNothingDownloadedMissesTheCertificate() {
    let registry = world.registry()
    #expect(DoctorReport(registry.note(.refusal("x"), of: key)).missing == .certificate)
  }

  /// The page asks its own listener and the proxy at the same time.
  @Test func aVisitPastTheProxyAtTheSameTimeSaysNothingAgainstIt() {
    let registry = world.registry()
    registry.note(.visit(.proxy), of: key)
    world.pass(2_000)
    #expect(DoctorReport(registry.note(.visit(.direct), of: key)).proxy == .ok)
  }

  @Test(arguments: [
    (Int64(0), DoctorReport.Clock.ok), (300_000, .ok), (-300_000, .ok), (300_001, .off), (-300_001, .off),
  ])
  func clocksAreCompared(offset: Int64, clock: DoctorReport.Clock) {
    let registry = world.registry()
    let report = DoctorReport(registry.note(.clock(world.now.withLock { $0 } + offset), of: key))
    #expect(report.clock == clock && (report.missing == .clock) == (clock == .off))
  }

  @Test func aClockThatIsFarOffComesBeforeTheCertificate() {
    let registry = world.registry()
    registry.note(.clock(0), of: key)
    #expect(DoctorReport(registry.note(.refusal("x"), of: key)).missing == .clock)
    #expect(registry.note(.clock(.min), of: key).clockOffset == -1_000_000_000_000, "no time at all is not taken")
  }

  @Test func itIsBounded() {
    let registry = world.registry()
    for index in 0..<DeviceRegistry.limit + 10 {
      world.pass(1)
      registry.note(.visit(.proxy), of: Device.Key(client: "10.0.\(index / 256).\(index % 256)", lane: "default"))
    }
    #expect(registry.devices.count == DeviceRegistry.limit)
    #expect(registry.devices.first?.client == "10.0.1.9" && registry.devices.last?.client == "10.0.0.10")
    let device = registry.note(.visit(.proxy), of: key, userAgent: String(repeating: "é", count: 1_000))
    #expect(device.userAgent.utf8.count <= Device.agentByteCount && device.userAgent.allSatisfy { $0 == "é" })
  }

  @Test func oneAddressInTwoLanesIsTwoDevices() {
    let registry = world.registry()
    registry.note(.visit(.proxy), of: key)
    registry.note(.visit(.proxy), of: Device.Key(client: key.client, lane: "other"))
    #expect(Set(registry.devices.map(\.lane)) == ["default", "other"])
  }

  @Test func itIsKeptOverARestart() throws {
    let registry = world.registry()
    registry.note(.visit(.securedProxy), of: key, userAgent: "Phone")
    registry.note(.clock(7), of: key)
    registry.flush()
    let kept = try #require(world.saved.withLock { $0.last })
    #expect(world.registry(kept).devices == registry.devices && !registry.devices.isEmpty)
    registry.flush()
    #expect(world.saved.withLock { $0.count } == 1, "nothing has changed")
  }

  @Test(arguments: [
    "", "x", "{}", "[]", #"{"devices":[{}]}"#,
    #"{"devices":[{"client":"a","lane":"b","userAgent":"","firstSeen":1,"lastSeen":9223372036854775807}]}"#,
  ])
  func whatIsNoSuchFileCountsAsNothing(text: String) {
    #expect(world.registry(Array(text.utf8)).devices.isEmpty)
  }

  @Test func theDocumentHasWhatTheConsoleShows() throws {
    let registry = world.registry()
    registry.note(.refusal("the client refused our certificate"), of: key, userAgent: "Phone \"1\"")
    let object = try JSONSerialization.jsonObject(with: Data(registry.document)) as? [String: Any]
    let device = try #require((object?["devices"] as? [[String: Any]])?.first)
    #expect(device["client"] as? String == "192.0.2.7" && device["lane"] as? String == "default")
    #expect(device["userAgent"] as? String == "Phone \"1\"")
    #expect(device["lastSeen"] as? String == "2001-09-09T01:46:40.000Z")
    let doctor = try #require(device["doctor"] as? [String: Any])
    #expect(doctor["proxy"] as? String == "ok" && doctor["certificate"] as? String == "refused")
    #expect(doctor["clock"] as? String == "unknown" && doctor["clockOffset"] is NSNull)
    #expect(doctor["missing"] as? String == "certificate" && doctor["downloaded"] as? Bool == false)
    #expect(doctor["refusal"] as? String == "the client refused our certificate")
    let text = String(describing: registry.families.map { $0.samples.map { ($0.labels.first?.value, $0.value) } })
    #expect(text.contains("(Optional(\"certificate\"), 1.0)"))
  }

  // MARK: by the site

  @Test func theSiteNotesWhatItSees() {
    let registry = world.registry()
    let site = OnboardingSite(Kit.authority, devices: registry)
    func doctor() -> DoctorReport? { registry.devices.first.map(DoctorReport.init) }
    _ = site.answer(Kit.visit("/doctor/ping", .proxy))
    #expect(doctor()?.proxy == .ok && doctor()?.certificate == .unknown)
    _ = site.answer(Kit.visit("/doctor/ping", .securedProxy))
    #expect(doctor()?.certificate == .trusted)
    for path in ["/pinwarden.mobileconfig", "/pinwarden-ca.crt", "/pinwarden-ca.pem"] {
      let registry = world.registry()
      _ = OnboardingSite(Kit.authority, devices: registry).answer(Kit.visit(path, .proxy))
      #expect(registry.devices.first?.downloaded != nil, "\(path)")
    }
    site.certificateRefused(client: "192.0.2.7", lane: "default", detail: "alert")
    #expect(registry.devices.count == 1 && registry.devices.first?.refusal == "alert")
  }

  @Test func statusTellsTheDeviceAboutItself() throws {
    let registry = world.registry()
    let site = OnboardingSite(Kit.authority, devices: registry)
    var request = Kit.visit("/doctor/status", .proxy)
    request.clock = "\(world.now.withLock { $0 } - 600_000)"
    let answer = site.answer(request)
    let object = try #require(JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
    let doctor = try #require(object["doctor"] as? [String: Any])
    #expect(answer.contentType == "application/json" && object["client"] as? String == "192.0.2.7")
    #expect(doctor["clock"] as? String == "off" && doctor["clockOffset"] as? Int == -600_000)
    #expect(!answer.fields.contains { $0.name.hasPrefix("Access-Control") }, "for the page alone")
  }

  @Test(arguments: ["", "x", "-1", "1e3", "9999999999999999", " 5"]) func whatIsNoTimeIsNotTaken(clock: String) {
    let registry = world.registry()
    var request = Kit.visit("/doctor/status", .proxy)
    request.clock = clock
    _ = OnboardingSite(Kit.authority, devices: registry).answer(request)
    #expect(registry.devices.first?.clockOffset == nil && registry.devices.count == 1)
  }

  @Test func pingsMayBeSeenByThePageOfAnotherName() {
    let site = OnboardingSite(Kit.authority, devices: world.registry())
    func field(_ answer: InternalAnswer, _ name: String) -> String? { answer.fields.first { $0.name == name }?.value }
    #expect(field(site.answer(Kit.visit("/doctor/ping", .proxy)), "Access-Control-Allow-Origin") == "*")
    var request = Kit.visit("/doctor/ping", .direct)
    request.method = "OPTIONS"
    let preflight = site.answer(request)
    #expect(preflight.status == 200 && field(preflight, "Access-Control-Allow-Private-Network") == "true")
    #expect(field(preflight, "Access-Control-Allow-Methods") == "GET")
    #expect(field(preflight, "Access-Control-Allow-Headers") == nil)
  }
}
