/// A part of an `NSAppTransportSecurity` dictionary that permits what App Transport Security refuses without it.
public struct ATSPermission: Sendable, Hashable {
  /// The plain name of the key, also where an old one is written.
  public var key: String
  /// The entry of `NSExceptionDomains`, as written; nil: it holds for every destination.
  public var scope: String?

  public init(_ key: String, in scope: String? = nil) {
    self.key = key
    self.scope = scope
  }
}
