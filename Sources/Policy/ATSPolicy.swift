import Names

/// An app's `NSAppTransportSecurity` dictionary, read as one version of Apple's system reads it (spec A.2 to A.9).
///
/// A value without I/O: equal questions get equal answers. The reading never fails; what does not do what its author thought is in `lint()`.
public struct ATSPolicy: Sendable {
  public let os: OSVersion
  /// What is done about violations. The answers of this type do not depend on it.
  public let mode: ATSMode
  /// Empty before iOS 14, which does not know the key.
  public let pinnedDomains: PinnedDomains

  let profile: ATSProfile
  let globals: ATSGlobals
  /// As given.
  public let dictionary: PropertyValue
  private let exceptions: ExceptionTable
  private let full: ATSRequirements
  private let systemDefaults: ATSRequirements

  /// `dictionary` is the value of `NSAppTransportSecurity`; anything but a dictionary, and an empty one, is full ATS.
  ///
  /// - Parameter sdk: what the app was linked against; nil: something that knows App Transport Security.
  public init(
    dictionary: PropertyValue = .null, os: OSVersion, mode: ATSMode = .enforce, builtInExceptions: Bool = false,
    sdk: LinkedSDK? = nil
  ) {
    let profile = ATSProfile(os, sdk: sdk)
    self.os = os
    self.mode = mode
    self.profile = profile
    self.dictionary = dictionary
    globals = ATSGlobals(dictionary, profile)
    exceptions = ExceptionTable(
      dictionary[ATSKey.exceptionDomains], profile: profile,
      builtIns: builtInExceptions ? DomainException.builtIns(profile) : [])
    pinnedDomains = PinnedDomains(profile.readsPinnedDomains ? dictionary[ATSKey.pinnedDomains] : nil)
    let niap = profile.niapPackage(dictionary[ATSKey.niap])
    full = ATSRequirements(profile, niap: niap)
    systemDefaults = .systemDefaults(profile, niap: niap)
  }

  /// Whether any answer depends on the context: only then must requests of different contexts be kept apart.
  public var dependsOnContext: Bool { globals.webContent == .yes || globals.media == .yes }

  /// Whether plain HTTP to this host is permitted; `mode` is not looked at.
  public func cleartext(host: Host, context: Context) -> CleartextVerdict {
    CleartextVerdict(ground: ground(host, context), host: host, profile: profile)
  }

  /// What an `https` load from this host must satisfy; `mode` is not looked at.
  public func requirements(host: Host, context: Context) -> ATSRequirements {
    let ground = ground(host, context)
    if case .exception(let exception) = ground { return exception.requirements }
    return ground.permits ? systemDefaults : full
  }

  /// The entry of `NSExceptionDomains`, or Apple's own, that decides for this host; nil: none.
  func exception(for host: Host) -> DomainException? { exceptions.find(host) }

  /// Where it is asked for nothing by an exception.
  var isFullByDefault: Bool { profile.hasATS && !(globals.arbitraryLoads == .yes && globals.scopedKey == nil) }

  /// Spec A.5, `tlsRequired`.
  func ground(_ host: Host, _ context: Context) -> CleartextGround {
    guard profile.hasATS else { return .beforeATS }
    if let exception = exceptions.find(host) { return .exception(exception) }
    let isLocal = profile.isLocal(host)
    if isLocal, globals.localNetworking != .no { return .local(byKey: globals.localNetworking == .yes) }
    if context == .media, globals.media == .yes { return .mediaKey }
    if context == .web, globals.webContent == .yes { return .webContentKey }
    guard globals.arbitraryLoads == .yes else { return isLocal ? .localDenied : .denied }
    if let key = globals.scopedKey { return .neutralised(by: key) }
    return .arbitraryLoads
  }
}
