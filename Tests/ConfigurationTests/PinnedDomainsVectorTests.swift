import Foundation
import Names
import Policy
import Testing

@testable import Configuration

/// Apple's inputs for its parser of NSPinnedDomains, with the numbers of identities that it finds (Data/pinned_domains).
@Suite struct PinnedDomainsVectorTests {
  private func list(_ name: String) throws -> PropertyValue {
    let url = URL(fileURLWithPath: "\(Fixtures.folder)/pinned_domains/\(name).plist")
    return try PropertyList.read(Array(Data(contentsOf: url)))
  }

  /// How many identities there must be; nil: no such list.
  private func count(_ expected: PropertyValue, _ key: String) -> Int? {
    guard expected[key] == .boolean(true), case .integer(let count)? = expected["\(key)Count"] else { return nil }
    return Int(count)
  }

  private func elements(of value: PropertyValue) throws -> [PropertyValue] {
    guard case .array(let elements) = value else { throw CocoaError(.propertyListReadCorrupt) }
    return elements
  }

  private func text(of value: PropertyValue?) throws -> String {
    guard case .string(let text)? = value else { throw CocoaError(.propertyListReadCorrupt) }
    return text
  }

  /// The digests of a list that can be read, by Foundation's reader; nil: there is no list.
  private func digests(_ value: PropertyValue?) -> [[UInt8]]? {
    guard let value else { return nil }
    guard case .array(let elements) = value else { return [] }
    return elements.compactMap { element in
      guard case .string(let text)? = element["SPKI-SHA256-BASE64"] else { return nil }
      return Data(base64Encoded: text).map(Array.init)
    }
  }

  @Test func `each file has the identities that Apple counts`() throws {
    let cases = try elements(of: list("NSPinnedDomainsParsingTest"))
    #expect(cases.count == 6)
    for entry in cases {
      let name = try text(of: entry["PlistFileName"])
      let expected = try #require(entry["ExpectedProperties"])
      let pinned = try list(name)["NSAppTransportSecurity"]?["NSPinnedDomains"]
      let domains = PinnedDomains(pinned)
      let found = domains.identities(for: try Host("example.org"))
      for (key, digests) in [("NSPinnedLeafIdentities", found?.leaf), ("NSPinnedCAIdentities", found?.ca)] {
        let written = self.digests(pinned?["example.org"]?[key])
        #expect(written?.count == count(expected, key), "\(name)")
        // One file has the same digest twice, which Apple counts twice.
        #expect(digests == written.map { Set($0) }, "\(name)")
      }
      let below = domains.identities(for: try Host("www.example.org"))
      #expect((below != nil) == (expected["NSIncludesSubdomains"] == .boolean(true)), "\(name)")
      #expect(domains.identities(for: try Host("a.www.example.org")) == nil, "\(name)")
    }
  }
}
