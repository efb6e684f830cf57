import Policy
import Records

extension ExchangeRecord.Origin {
  /// With what the verdict on the origin says besides its pins.
  func judged(by verdict: TrustVerdict?) -> ExchangeRecord.Origin {
    var origin = self
    origin.transparency = verdict?.transparency
    return origin
  }
}
