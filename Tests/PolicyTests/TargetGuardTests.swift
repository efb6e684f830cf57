import Names
import Policy
import Testing

struct TargetGuardTests {
  @Test(arguments: [
    ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("::ffff:127.0.0.1", true), ("169.254.169.254", true),
    ("fe80::1", true), ("0.0.0.0", true),
    ("0.1.2.3", true), ("::", true), ("192.0.2.10", true), ("::ffff:192.0.2.10", true), ("2001:db8::10", true),
    ("192.0.2.11", false), ("10.0.0.1", false),
    ("203.0.113.1", false), ("2001:db8::11", false),
  ])
  func remoteClients(address: String, expected: Bool) throws {
    let guarded = TargetGuard(ownAddresses: [
      try #require(IPAddress("::ffff:192.0.2.10")), try #require(IPAddress("2001:db8::10")),
    ])
    let address = try #require(IPAddress(address))
    #expect(guarded.prohibits(address, allowed: []) == expected)
  }

  @Test(arguments: [
    (nil, false), ("127.0.0.1", false), ("::1", false), ("::ffff:127.0.0.1", false), ("192.0.2.9", true),
    ("2001:db8::9", true),
  ])
  func clientsThatAreWatched(client: String?, expected: Bool) {
    #expect(TargetGuard.watches(client.flatMap { IPAddress($0) }) == expected)
  }

  @Test func allowedRangesAreOpen() throws {
    let guarded = TargetGuard(ownAddresses: [])
    let allowed = [try #require(CIDR("127.0.0.0/8"))]
    #expect(!guarded.prohibits(.v4(0x7F00_0001), allowed: allowed))
    #expect(!guarded.prohibits(.v6(0, 0xFFFF_7F00_0001), allowed: allowed))
    #expect(guarded.prohibits(.v6(0, 1), allowed: allowed))
  }
}
