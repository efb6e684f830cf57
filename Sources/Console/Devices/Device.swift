/// What the site for devices knows of one of them. A value, and what is kept of it over a restart.
///
/// Everything in it was seen by the daemon itself; a device cannot claim anything about its trust. Times are milliseconds since 1970.
struct Device: Codable, Equatable, Sendable {
  static let agentByteCount = 256

  /// Who it is: its address without a port (empty on a socket of the file system) and its lane.
  struct Key: Hashable, Sendable {
    let client: String
    let lane: String
  }

  let client: String
  let lane: String
  /// The last User-Agent, cut.
  var userAgent = ""
  let firstSeen: Int64
  var lastSeen: Int64
  /// When it last reached the site through the proxy, and past it.
  var proxied: Int64?
  var direct: Int64?
  /// When it last took our certificate, and when it last refused it.
  var trusted: Int64?
  var refused: Int64?
  /// A clause that says how it refused.
  var refusal: String?
  /// When it last took the certificate or the profile as a file.
  var downloaded: Int64?
  /// How far its clock was ahead at `clockSeen`, in milliseconds.
  var clockOffset: Int64?
  var clockSeen: Int64?

  init(_ key: Key, at time: Int64) {
    client = key.client
    lane = key.lane
    firstSeen = time
    lastSeen = time
  }

  var key: Key { Key(client: client, lane: lane) }

  /// Whether what was read from a file is something that could have been written.
  var isPlausible: Bool {
    client.utf8.count <= 64 && lane.utf8.count <= 256 && userAgent.utf8.count <= Self.agentByteCount
      && (refusal?.utf8.count ?? 0) <= 512
      && [firstSeen, lastSeen, proxied, direct, trusted, refused, downloaded, clockOffset, clockSeen].allSatisfy {
        ($0?.magnitude ?? 0) < 1 << 53
      }
  }
}
