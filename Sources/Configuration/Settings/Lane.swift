import Names
import Policy
import TLS

/// A group of clients with its own policy: those of one device, one user or one listener.
///
/// Made once when a configuration is loaded; everything that the lane does not set itself is the same as in the default lane.
public final class Lane: Sendable {
  /// The lane of everybody whom no other lane names.
  public static let defaultName = "default"

  public let name: String
  public let policy: LanePolicy
  public let identities: [String: Identity]
  /// What the trust policies of the lane are checked against, by the name of the policy.
  public let materials: [String: TrustMaterial]
  /// The context of its requests where the listener leaves it open.
  public let context: Context?
  /// How much of each body is kept.
  public let captureByteCount: Int
  /// Networks and users that the lane is for.
  public let clients: [CIDR]
  public let users: [String]
  /// Whether a host whose certificate from us a client keeps refusing is passed on unseen for a while, unless it was named.
  public let failOpen: Bool
  /// The way to its origins where no rule says another; nil: that of `upstream`.
  public let proxy: ProxyChoice?
  /// Whether its rules are those of the configuration as a whole.
  public let sharesRules: Bool

  init(
    name: String, policy: LanePolicy, identities: [String: Identity], materials: [String: TrustMaterial],
    context: Context?, captureByteCount: Int, clients: [CIDR], users: [String], failOpen: Bool,
    proxy: ProxyChoice?, sharesRules: Bool
  ) {
    self.name = name
    self.policy = policy
    self.identities = identities
    self.materials = materials
    self.context = context
    self.captureByteCount = captureByteCount
    self.clients = clients
    self.users = users
    self.failOpen = failOpen
    self.proxy = proxy
    self.sharesRules = sharesRules
  }

  /// The same lane with another whitelist, or this one if its rules are its own.
  func replacing(sharedWhitelist: [WebOrigin]) -> Lane {
    guard sharesRules else { return self }
    let rules = HostRules(
      hosts: policy.rules.hosts, whitelist: sharedWhitelist, emptyWhitelist: policy.rules.emptyWhitelist,
      default: policy.rules.defaultAction)
    return Lane(
      name: name, policy: policy.replacing(rules: rules),
      identities: identities, materials: materials, context: context, captureByteCount: captureByteCount,
      clients: clients, users: users, failOpen: failOpen, proxy: proxy, sharesRules: true)
  }
}

/// The certificates of a trust policy.
public struct TrustMaterial: Sendable, Equatable {
  /// Trusted in addition to, or in place of, the general anchors; may be intermediates or leaves.
  public let anchors: [Certificate]
  /// Whether the general anchors do not count.
  public let anchorsOnly: Bool
  /// The certificates that are pinned.
  public let pinned: [Certificate]
}
