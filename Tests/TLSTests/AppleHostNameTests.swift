import Foundation
import Names
import Testing

@testable import TLS

/// Apple's own tests of its SSL policy: host names, wildcards and extended key usage.
///
/// The certificates and outcomes are test data of apple-oss-distributions/Security (APSL 2.0).
@Suite struct AppleHostNameTests {
  struct Case: Decodable, CustomTestStringConvertible {
    let test: String
    let certificate: String
    let host: String
    let passes: Bool

    var testDescription: String { "\(test): \(host)" }
  }

  static let cases: [Case] = {
    let bytes = try? Fixtures.bytes("AppleHostNames/cases.json")
    return bytes.flatMap { try? JSONDecoder().decode([Case].self, from: Data($0)) } ?? []
  }()

  private static func certificate(_ name: String) throws -> Certificate {
    try Certificate(der: Fixtures.bytes("AppleHostNames/\(name).cer"))
  }

  @Test func allAreThere() {
    #expect(Self.cases.count == 37)
  }

  @Test(arguments: cases) func hostNames(_ vector: Case) throws {
    // 2015-09-04 UTC
    let time: Int64 = 1_441_324_800
    let leaf = try Self.certificate(vector.certificate)
    let anchors = TrustStore(
      certificates: [try Self.certificate("SSLTrustPolicyTestRootCertificate")], partialChain: false,
      includingSystem: false)
    guard let host = try? Host(vector.host) else {
      #expect(!vector.passes)
      return
    }
    let result = ChainVerifier.evaluate(leaf: leaf, others: [], anchors: anchors, host: host, at: time)
    #expect(result.isValid == vector.passes, "\(result.faults), \(leaf.dnsNames)")
    // Some of the certificates are younger than the day that the tests name.
    let faults = result.faults.filter { $0 != .notYetValid(depth: 0) }
    let expected: [ChainFault] =
      vector.certificate == "InvalidEKUTest16" ? [.wrongPurpose(depth: 0)] : vector.passes ? [] : [.nameMismatch]
    #expect(faults == expected)
    // The raw text too, which the normaliser of hosts may have refused.
    #expect(NameCheck.isLeaf(leaf, named: vector.host) == (vector.passes || vector.certificate == "InvalidEKUTest16"))
  }

  @Test(arguments: [("anyEKU", true), ("noEKU", true), ("ssl", true), ("smime", false)])
  func purposeOfAnIntermediate(_ kind: String, _ passes: Bool) throws {
    // 2020-07-20 UTC
    let time: Int64 = 1_595_203_200
    let anchors = TrustStore(
      certificates: [try Self.certificate("subCA_EKU_Root")], partialChain: false, includingSystem: false)
    let result = ChainVerifier.evaluate(
      leaf: try Self.certificate("subCA_EKU_\(kind)_leaf"), others: [try Self.certificate("subCA_EKU_\(kind)_ca")],
      anchors: anchors, host: try Host("example.com"), at: time)
    #expect(result.faults == (passes ? [] : [.wrongPurpose(depth: 1)]))
  }
}
