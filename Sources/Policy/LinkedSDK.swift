/// The SDK that an app was built with, as Xcode writes it into the app's Info.plist (`DTSDKName`): `iphoneos18.4`.
///
/// Apps that were built before App Transport Security existed, with an SDK older than iOS 9 or macOS 10.11, are not subject to it on
/// any system (spec A.1).
public struct LinkedSDK: Sendable, Hashable {
  public let name: String
  public let hasATS: Bool

  /// nil: the text names no SDK of Apple's.
  public init?(_ name: String) {
    let platform = name.prefix { $0.isASCII && $0.isLetter }
    // Internal builds append a word, as in `iphoneos8.4.internal`.
    let numbers = name.dropFirst(platform.count).split(separator: ".").prefix { Int($0) != nil }
    guard let version = OSVersion(numbers.prefix(2).joined(separator: ".")) else { return nil }
    switch platform.lowercased() {
    case "iphoneos", "iphonesimulator": hasATS = version >= OSVersion(major: 9, minor: 0)
    case "macosx": hasATS = version >= OSVersion(major: 10, minor: 11)
    // watchOS 2 and tvOS 9 were the first with SDKs of their own, and all later platforms had it from the start.
    case "watchos", "watchsimulator", "appletvos", "appletvsimulator", "xros", "xrsimulator": hasATS = true
    default: return nil
    }
    self.name = name
  }
}
