/// Where a picture belongs: what was asked for, and under which decision it came. Only who asks for the same under the same gets it.
public struct PicturePlace: Sendable, Hashable {
  /// The effective URI without a fragment.
  public let url: String
  /// Who asks: lane, context, and host with port. Under one of these there is one decision at a time.
  public let scope: String
  /// What the decision, the trust in the origin, the identity shown and the way to it are, in one short text. Two decisions that differ
  /// in anything have different ones.
  public let decision: String

  public init(url: String, scope: String, decision: String) {
    self.url = url
    self.scope = scope
    self.decision = decision
  }
}
