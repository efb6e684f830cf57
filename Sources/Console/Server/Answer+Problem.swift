import Bytes
import HTTP
import Records

extension Answer {
  /// A refusal as a problem document (RFC 9457).
  static func problem(_ status: Int, _ detail: String) -> Answer {
    let out = ByteQueue()
    var json = JSONText(into: out)
    json.beginObject()
    json.string("title", ResponseHead.reason(of: status))
    json.integer("status", status)
    json.string("detail", detail)
    json.endObject()
    return Answer(status: status, contentType: "application/problem+json", body: .bytes(Array(out.bytes)))
  }

  static func problem(_ fault: ControlFault) -> Answer {
    switch fault.kind {
    case .invalid: problem(400, fault.reason)
    case .rejected: problem(409, fault.reason)
    case .unavailable: problem(503, fault.reason)
    }
  }

  static func unauthorized(_ detail: String) -> Answer {
    problem(401, detail).with("WWW-Authenticate", "Bearer realm=\"pinwarden\"")
  }

  static func tooManyFailures(seconds: Int) -> Answer {
    problem(429, "too many wrong tokens came from this address; the next one is looked at in \(seconds) s")
      .with("Retry-After", "\(seconds)")
  }
}
