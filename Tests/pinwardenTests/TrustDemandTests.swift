import Configuration
import Foundation
import Policy
import Records
import Testing

@testable import pinwarden

/// What `explain` tells of a trust policy besides its pins.
@Suite struct TrustDemandTests {
  private static let list = """
    { "log_list_timestamp": "2026-01-01T00:00:00Z", "operators": [{ "name": "O", "logs": [{
      "state": { "usable": {} },
      "key": "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEzmDMkpKGiaA1WPuYVbQ6blN9DwnHXDZB9wZK/ryWaZBswdvv9QM5G5vpDFNLXYgUbS2hOKbQrJQ5ZM2JZe7IXQ=="
    }] }] }
    """

  private func explanation(_ policy: String) throws -> Explanation {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Self.list.write(toFile: "\(folder)/logs.json", atomically: true, encoding: .utf8)
    let text =
      "{ ct: { logList: 'logs.json' }, trust: { t: \(policy) }, rules: { hosts: [{ host: 'a.test', trust: 't' }] } }"
    let loaded = ConfigurationLoader.load(text: text, folder: folder, environment: ["HOME": "/nonexistent"])
    let configuration = try #require(loaded.configuration, "\(loaded.findings)")
    let request = ExplainRequest(url: "https://a.test/")
    return try Explainer(configuration, defaults: request).explain(request).get()
  }

  @Test func bothAreTold() throws {
    let text = try explanation("{ requiresCertificateTransparency: true, fetchIntermediates: true }").text(.unwrapped)
    #expect(text.contains("Certificate Transparency: enough timestamps of 1 approved logs"), "\(text)")
    #expect(text.contains("issuers that the origin does not send are fetched"))
    #expect(text.contains("satisfy Certificate Transparency"))
    let neither = try explanation("{}").text(.unwrapped)
    #expect(!neither.contains("Transparency") && !neither.contains("fetched"))
  }
}
