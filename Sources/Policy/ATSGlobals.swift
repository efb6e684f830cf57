/// The keys of `NSAppTransportSecurity` that hold for every destination without an exception.
struct ATSGlobals: Sendable {
  enum State: Sendable { case absent, no, yes }

  let arbitraryLoads: State
  let media: State
  let webContent: State
  let localNetworking: State

  init(_ dictionary: PropertyValue, _ profile: ATSProfile) {
    func state(_ key: String) -> State {
      switch dictionary[key]?.flag {
      case nil: .absent
      case .some(true): .yes
      case .some(false): .no
      }
    }
    arbitraryLoads = state(ATSKey.arbitraryLoads)
    guard profile.readsScopedGlobals else {
      (media, webContent, localNetworking) = (.absent, .absent, .absent)
      return
    }
    let media = state(ATSKey.media)
    self.media = media == .absent ? state(ATSKey.mediaOfBetas) : media
    webContent = state(ATSKey.webContent)
    localNetworking = state(ATSKey.localNetworking)
  }

  /// The key whose presence, whatever its value, makes `NSAllowsArbitraryLoads` ineffective; nil if there is none.
  var scopedKey: String? {
    if localNetworking != .absent { return ATSKey.localNetworking }
    if webContent != .absent { return ATSKey.webContent }
    return media != .absent ? ATSKey.media : nil
  }
}
