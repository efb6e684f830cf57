/// The idle HTTP/1 connections of a loop over all plans, the longest idle first, so that their number is bounded however many hosts
/// there are. A list whose links are in the connections: adding and removing cost nothing on the way of a request.
struct IdleConnections {
  /// A TLS connection at rest takes some tens of kilobytes.
  private static let limit = 512

  private var oldest: OriginConnection?
  private var newest: OriginConnection?
  private var count = 0

  mutating func append(_ connection: OriginConnection) {
    connection.idleLinks = OriginConnection.IdleLinks(older: newest, newer: nil)
    if let newest { newest.idleLinks?.newer = connection } else { oldest = connection }
    newest = connection
    count += 1
  }

  mutating func remove(_ connection: OriginConnection) {
    guard let links = connection.idleLinks else { return }
    if let older = links.older { older.idleLinks?.newer = links.newer } else { oldest = links.newer }
    if let newer = links.newer { newer.idleLinks?.older = links.older } else { newest = links.older }
    connection.idleLinks = nil
    count -= 1
  }

  /// The connection to close because there are too many.
  var excess: OriginConnection? { count > Self.limit ? oldest : nil }
}
