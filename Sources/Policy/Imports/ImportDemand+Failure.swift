extension ImportDemand {
  /// TrustKit reports chains that are not valid as well as pins that are missing.
  func failure(_ outcome: Outcome) -> PinFailure? {
    let cause: PinFailure.Cause
    switch outcome {
    case .noMatchingPin: cause = .noMatchingPin
    case .invalidChain: cause = .invalidChain
    case .satisfied, .foreignAnchor: return nil
    }
    guard !reportURIs.isEmpty else { return nil }
    return PinFailure(
      source: source.description, cause: cause, entry: entry, includesSubdomains: includesSubdomains,
      isEnforced: enforce, pins: pins, expiryDay: expiryDay, reportURIs: reportURIs, app: app)
  }
}
