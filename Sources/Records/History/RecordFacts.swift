import Foundation

/// A record read back from its JSON (contract, section 5). What older or later versions do not write is nil.
public struct RecordFacts: Sendable, Decodable {
  public struct Decision: Sendable, Decodable {
    public let action: String
    public let decidedBy: String?
    public let rule: String?
  }

  public struct ATS: Sendable, Decodable {
    public let verdict: String
    public let violations: [String]?
    public let os: String?
  }

  public struct Origin: Sendable, Decodable {
    public let address: String
    public let reused: Bool?
    public let tls: TLS?
    public let pins: [String]?
    public let matchedPin: String?
    public let identity: String?
  }

  public struct TLS: Sendable, Decodable {
    public let version: String
    public let cipher: String
    public let alpn: String?
    public let resumed: Bool?
  }

  public struct Request: Sendable, Decodable {
    public let bytes: Int
    public let sha256: String?
    public let sentSha256: String?
    public let restored: Bool?
  }

  public struct Response: Sendable, Decodable {
    public let bytes: Int
    public let fromCache: Bool?
  }

  /// Milliseconds.
  public struct Timing: Sendable, Decodable {
    public let queued: Double?
    public let dns: Double?
    public let connect: Double?
    public let tls: Double?
    public let firstByte: Double?
    public let total: Double?
  }

  public struct Failure: Sendable, Decodable {
    public let code: Int?
    public let name: String?
    public let proxyStatus: String?
    public let detail: String?
  }

  public let started: String
  public let id: String
  public let lane: String?
  public let client: String?
  public let context: String?
  public let `protocol`: String?
  public let method: String
  public let url: String
  public let status: Int?
  public let decision: Decision?
  public let ats: ATS?
  public let origin: Origin?
  public let request: Request?
  public let response: Response?
  public let timing: Timing?
  public let error: Failure?
}

extension StoredExchange {
  /// nil: the record is not one that this version understands.
  public var facts: RecordFacts? { try? JSONDecoder().decode(RecordFacts.self, from: Data(record)) }
}
