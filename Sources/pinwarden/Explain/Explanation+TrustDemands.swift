import Policy
import Records

/// What a trust policy asks for besides its pins.
extension Explanation {
  /// `requiresCertificateTransparency` and `fetchIntermediates`, as in the configuration.
  func writeTrustDemands(to json: inout JSONText) {
    json.boolean("requiresCertificateTransparency", requirements?.trust?.transparency != nil)
    json.boolean("fetchIntermediates", requirements?.trust?.fetchIntermediates == true)
  }

  /// One demand a line.
  var trustDemands: [String] {
    guard let trust = requirements?.trust else { return [] }
    var demands: [String] = []
    if let transparency = trust.transparency {
      demands.append(
        "Certificate Transparency: enough timestamps of \(transparency.logs.logs.values.count(where: \.isApproved)) approved logs, if the "
          + "chain leads to a root of the system")
    }
    if trust.fetchIntermediates { demands.append("issuers that the origin does not send are fetched") }
    return demands
  }
}
