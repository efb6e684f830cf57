import Names
import Policy
import Testing

struct PinnedDomainsTests {
  private static func identities(_ digests: String...) -> PropertyValue {
    .array(digests.map { ["SPKI-SHA256-BASE64": .string($0)] })
  }

  private static func find(_ domains: PropertyValue, _ host: String) throws -> PinnedIdentities? {
    PinnedDomains(domains).identities(for: try Host(host))
  }

  /// The inputs of Apple's parser tests and how many identities it finds; nil: not pinned by that list.
  @Test(
    arguments: [
      (["NSIncludesSubdomains": true, "NSPinnedCAIdentities": identities("AAAA")], nil, 1),
      (["NSPinnedLeafIdentities": identities("AAAA", "BBBB")], 2, nil),
      (
        ["NSPinnedLeafIdentities": identities("AAAA"), "NSPinnedCAIdentities": identities("AAAA", "BBBB")], 1, 2
      ),
      (["NSPinnedLeafIdentities": []], 0, nil),
      (["NSPinnedLeafIdentities": "AAAA", "NSPinnedCAIdentities": ["AAAA"]], 0, 0),
      (["NSPinnedLeafIdentities": [["SPKI-SHA256-BASE64": "A"], ["SPKI-SHA256-BASE64": 1], ["x": "AAAA"]]], 0, nil),
    ] as [(PropertyValue, Int?, Int?)])
  func listsAreRead(_ entry: PropertyValue, _ leafCount: Int?, _ authorityCount: Int?) throws {
    let found = try #require(try Self.find(["example.org": entry], "example.org"))
    #expect(found.leaf?.count == leafCount)
    #expect(found.ca?.count == authorityCount)
  }

  @Test(arguments: [[:], ["NSIncludesSubdomains": true], "x", .null] as [PropertyValue])
  func entriesWithoutListsPinNothing(_ entry: PropertyValue) throws {
    #expect(try Self.find(["example.org": entry], "example.org") == nil)
    #expect(PinnedDomains(["example.org": entry]).isEmpty)
  }

  @Test func subdomainsAreOneLabel() throws {
    let below: PropertyValue = [
      "example.org": ["NSIncludesSubdomains": true, "NSPinnedCAIdentities": Self.identities("AAAA")]
    ]
    #expect(try Self.find(below, "example.org") != nil)
    #expect(try Self.find(below, "subdomain.example.org.") != nil)
    #expect(try Self.find(below, "a.b.example.org") == nil)
    #expect(try Self.find(below, "notexample.org") == nil)
    let exact: PropertyValue = ["example.org": ["NSPinnedCAIdentities": Self.identities("AAAA")]]
    #expect(try Self.find(exact, "a.example.org") == nil)
    let number: PropertyValue = [
      "example.org": ["NSIncludesSubdomains": 1, "NSPinnedCAIdentities": Self.identities("AAAA")]
    ]
    #expect(try Self.find(number, "a.example.org") == nil)
  }

  @Test func caseAndTrailingDotDoNotMatter() throws {
    let domains: PropertyValue = ["Example.ORG": ["NSPinnedLeafIdentities": Self.identities("AAAA")]]
    #expect(try Self.find(domains, "example.org.") != nil)
    let both: PropertyValue = [
      "Example.ORG": ["NSPinnedLeafIdentities": Self.identities("AAAA")],
      "example.org": ["NSPinnedLeafIdentities": Self.identities("BBBB")],
    ]
    #expect(try Self.find(both, "example.org")?.leaf?.count == 2)
  }

  @Test func allEntriesThatMatchCount() throws {
    let domains: PropertyValue = [
      "example.org": ["NSIncludesSubdomains": true, "NSPinnedLeafIdentities": Self.identities("AAAA")],
      "www.example.org": [
        "NSPinnedLeafIdentities": Self.identities("BBBB"), "NSPinnedCAIdentities": Self.identities("AAAA"),
      ],
    ]
    let found = try #require(try Self.find(domains, "www.example.org"))
    #expect(found.leaf?.count == 2)
    #expect(found.ca?.count == 1)
  }

  @Test func olderSystemsDoNotKnowThem() throws {
    let dictionary: PropertyValue = [
      "NSPinnedDomains": ["a.test": ["NSPinnedLeafIdentities": Self.identities("AAAA")]]
    ]
    #expect(ATSPolicy(dictionary: dictionary, os: OSVersion(major: 13, minor: 7)).pinnedDomains.isEmpty)
    #expect(!ATSPolicy(dictionary: dictionary, os: OSVersion(major: 14, minor: 0)).pinnedDomains.isEmpty)
  }
}
