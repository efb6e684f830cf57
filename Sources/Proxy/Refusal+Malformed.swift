import HTTP
import Policy

extension Refusal {
  /// A message that HTTP does not allow, or that is not served.
  static func malformed(_ fault: HTTPFault) -> Refusal {
    var refusal = Refusal.malformed(detail: fault.reason)
    refusal.status = fault.status
    return refusal
  }
}
