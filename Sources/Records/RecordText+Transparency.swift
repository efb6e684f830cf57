import Policy

extension RecordText {
  /// `ct: { status: "pass" | "fail" | "exempt", scts, reason }`; `scts` is how many came, good or bad.
  static func members(of verdict: TransparencyVerdict, in json: inout JSONText) {
    json.beginObject("ct")
    json.string("status", verdict.status.rawValue)
    json.integer("scts", verdict.count)
    json.string("reason", verdict.reason)
    json.endObject()
  }
}
