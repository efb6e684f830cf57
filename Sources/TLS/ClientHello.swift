import Names

/// What a client says before anything is decided (RFC 8446 section 4.1.2), read without consuming it.
///
/// The bytes come from anybody: everything is bounded and checked, and what does not parse is `.notTLS`.
public struct ClientHello: Sendable, Equatable {
  /// The outcome of looking at the first bytes of a connection.
  public enum Reading: Sendable, Equatable {
    /// So far it can be the beginning of a hello.
    case needMore
    case hello(ClientHello)
    /// Something else, or a hello that is malformed, larger than `maximumByteCount` or cut into too many records.
    case notTLS
  }

  /// The host name of the server_name extension as sent (RFC 6066 section 3): visible ASCII, not yet normalised.
  public var serverName: String?
  /// The application protocols in the client's order. Names that are not visible ASCII (RFC 8701 reserves some) are left out.
  public var alpn: [String]
  /// The supported_versions extension as sent, reserved values included; without it the legacy version, which then is the
  /// highest one.
  public var versions: [UInt16]

  /// The largest hello that is accepted, counted without record headers.
  public static let maximumByteCount = 65_536
  /// The most records that a hello may be cut into, so that reading again after each byte stays cheap.
  public static let maximumRecordCount = 4096
  /// No hello needs more bytes than this on the wire; a caller that holds as many and still hears `.needMore` cannot exist.
  public static let maximumWireByteCount = 4 + maximumByteCount + 5 * maximumRecordCount + 16_384

  public init(serverName: String?, alpn: [String], versions: [UInt16]) {
    self.serverName = serverName
    self.alpn = alpn
    self.versions = versions
  }

  /// Whether the client can speak `version`, as far as the hello tells.
  public func offers(_ version: TLSVersion) -> Bool {
    versions.contains(version.rawValue)
  }

  /// Reads the hello at the front of `bytes`, which are the first bytes of a connection. They may end anywhere, and the hello may be
  /// cut into records anywhere. What follows the hello is not looked at.
  public static func parse(_ bytes: UnsafeRawBufferPointer) -> Reading {
    var gathering = HelloGathering()
    switch gathering.walk(bytes) {
    case .needMore: return .needMore
    case .notTLS: return .notTLS
    case .complete: break
    }
    let hello = gathering.withMessage(bytes) { ClientHello(message: $0) }
    return hello.map { .hello($0) } ?? .notTLS
  }
}
