import Bytes
import Records

/// The trust doctor's two endpoints. What counts is which request arrived and how, never what it claims: only the clock is told by the
/// device, and it can harm nobody but itself.
extension OnboardingSite {
  /// Says that it was reached. Pages on the site's other names may see that, so that the page of the listener can find out whether the
  /// device uses the proxy, and the page over plain HTTP whether it trusts us; there is nothing to be read.
  func ping(_ request: InternalRequest) -> InternalAnswer {
    switch request.method {
    case "OPTIONS":
      // The second is asked for by browsers before they connect a page to a private network.
      return Self.reached + [
        .init("Access-Control-Allow-Methods", "GET"), .init("Access-Control-Allow-Private-Network", "true"),
      ]
    case "GET", "HEAD":
      devices.note(.visit(request.way), of: request.device, userAgent: request.userAgent)
      return Self.reached
    default: return Self.notAllowed("GET, HEAD, OPTIONS")
    }
  }

  /// `{client, lane, time, doctor}` for the device that asks, which tells its clock.
  func status(_ request: InternalRequest) -> InternalAnswer {
    var device = devices.note(.visit(request.way), of: request.device, userAgent: request.userAgent)
    if let now = Self.clock(request.clock) { device = devices.note(.clock(now), of: request.device) }
    let out = ByteQueue()
    var json = JSONText(into: out)
    json.beginObject()
    json.string("client", device.client)
    json.string("lane", device.lane)
    json.time("time", milliseconds: device.lastSeen)
    device.writeDoctor(to: &json, "doctor")
    json.endObject()
    return Self.shown(String(decoding: out.bytes, as: UTF8.self), "application/json")
  }

  /// nil: it was not told, or no number of milliseconds between 1970 and 9999 is.
  private static func clock(_ text: String) -> Int64? {
    guard text.utf8.count <= 15, let now = Int64(text), now >= 0 else { return nil }
    return now
  }

  private static let reached = InternalAnswer(
    status: 200, contentType: "text/plain; charset=utf-8",
    fields: [
      .init("Access-Control-Allow-Origin", "*"), .init("Cross-Origin-Resource-Policy", "cross-origin"),
      .init("X-Content-Type-Options", "nosniff"),
    ], body: Array("ok\n".utf8))
}

extension InternalAnswer {
  /// The same answer with more fields.
  fileprivate static func + (answer: InternalAnswer, more: [Field]) -> InternalAnswer {
    var answer = answer
    answer.fields += more
    return answer
  }
}
