import Foundation
import Names
import Policy
import TLS
import Testing

@testable import Configuration

/// The test cases of AFNetworking's AFSecurityPolicy with their certificates (Data/afsecuritypolicy): chain building, names and
/// the policy together.
@Suite struct AFSecurityPolicyVectorTests {
  private struct File: Decodable {
    let verifyTime: String
    let vectors: [Vector]
  }

  private struct Vector: Decodable {
    let id: String
    let chain: [String]
    let pinningMode: String
    let pinnedCertificates: [String]
    let allowInvalidCertificates: Bool
    let validatesDomainName: Bool
    let domain: String?
    let expected: Bool
  }

  private static let folder = Fixtures.folder + "/afsecuritypolicy"

  private func certificate(_ name: String) throws -> Certificate {
    try Certificate(der: Array(Data(contentsOf: URL(fileURLWithPath: "\(Self.folder)/\(name)"))))
  }

  private func store(_ certificates: [Certificate]) -> TrustStore {
    TrustStore(certificates: certificates, partialChain: true, includingSystem: false)
  }

  @Test func `every case ends as in the original`() throws {
    let file = try JSONDecoder().decode(
      File.self, from: Data(contentsOf: URL(fileURLWithPath: "\(Self.folder)/vectors.json")))
    let time = Int64(try #require(ISO8601DateFormatter().date(from: file.verifyTime)).timeIntervalSince1970)
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(Self.folder)/anchors")
    let system = TrustStore(
      certificates: try names.map { try certificate("anchors/\($0)") }, partialChain: false, includingSystem: false)
    #expect(file.vectors.count == 36 && names.count == 4)
    for vector in file.vectors {
      let chain = try vector.chain.map(certificate)
      let pinned = try vector.pinnedCertificates.map(certificate)
      let leaf = try #require(chain.first)
      let others = Array(chain.dropFirst())
      let result = ChainVerifier.evaluate(
        leaf: leaf, others: others, anchors: system, host: try vector.domain.map { try Host($0) }, at: time)
      let rebuilt = ChainVerifier.evaluate(leaf: leaf, others: others, anchors: store(pinned), host: nil, at: time)
      let policy = TrustPolicy(
        name: vector.id, pinning: try #require(PinningMode(rawValue: vector.pinningMode)),
        certificates: pinned.map { CertificateFacts($0) }, allowInvalidCertificates: vector.allowInvalidCertificates,
        validatesDomainName: vector.validatesDomainName)
      let isAccepted = AFEvaluation.accepts(
        policy: policy, hasDomain: vector.domain != nil, hostMatches: result.hostMatches,
        evaluation: ChainEvaluation(result), pinnedEvaluation: pinned.isEmpty ? nil : ChainEvaluation(rebuilt))
      #expect(isAccepted == vector.expected, "\(vector.id): faults \(result.faults)")
    }
  }
}
