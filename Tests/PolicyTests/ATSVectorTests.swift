import Foundation
import Names
import Testing

@testable import Policy

/// Decisions of Apple's own parser (OS 18.4, built-in exceptions on, context app).
struct ATSVectorTests {
  struct Vectors: Decodable {
    let policies: [String: PropertyValue]
    let vectors: [Vector]
  }

  struct Vector: Decodable {
    struct Expectation: Decodable {
      let tlsRequired: Bool
      let minimumTLS: String?
      let forwardSecrecy: Bool
    }
    let id: String
    let policy: String
    let host: String
    let isDirect: Bool
    let expect: Expectation
  }

  @Test func appleDecidesAlike() throws {
    let file = try #require(Bundle.module.url(forResource: "ats_apple", withExtension: "json", subdirectory: "Data"))
    let data = try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: file))
    let os = try #require(OSVersion("18.4"))
    let policies = data.policies.mapValues { ATSPolicy(dictionary: $0, os: os, builtInExceptions: true) }
    #expect(data.vectors.count == 150)
    for vector in data.vectors {
      let policy = try #require(policies[vector.policy])
      let host = try Host(vector.host)
      #expect(policy.profile.isLocal(host) == vector.isDirect, "\(vector.id)")
      let cleartext = policy.cleartext(host: host, context: .app)
      #expect(cleartext.isPermitted != vector.expect.tlsRequired, "\(vector.id): \(cleartext.reason)")
      let requirements = policy.requirements(host: host, context: .app)
      #expect(requirements.minimumTLS?.name == vector.expect.minimumTLS, "\(vector.id)")
      #expect(requirements.forwardSecrecy == vector.expect.forwardSecrecy, "\(vector.id)")
    }
  }
}
