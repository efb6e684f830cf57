import Policy

/// What an app's Info.plist says that is of interest here, read without a configuration: XML, binary or JSON.
public struct AppPropertyList: Sendable {
  /// The value of `NSAppTransportSecurity`; null where there is none.
  public let transportSecurity: PropertyValue
  /// What the app was built with; nil where the file does not tell, as in a source tree.
  public let sdk: LinkedSDK?
  /// `CFBundleIdentifier`; nil where there is none, or a variable of Xcode's.
  public let bundleIdentifier: String?
  /// A key that belongs into `NSAppTransportSecurity`, but stands at the top, where a device does not look.
  public let misplacedKey: String?

  /// Why a file is none; one clause.
  public struct Fault: Error, Equatable, Sendable, CustomStringConvertible {
    public let description: String
  }

  public init(_ bytes: [UInt8]) throws(Fault) {
    let root: PropertyValue
    do throws(PropertyList.Fault) {
      root = try PropertyList.read(bytes)
    } catch {
      let place = error.line.map { "line \($0)" + (error.column.map { ", column \($0)" } ?? "") + ": " } ?? ""
      throw Fault(description: place + error.message)
    }
    guard case .dictionary(let members) = root else {
      throw Fault(description: "it holds no dictionary, so it is no Info.plist")
    }
    let value = members[ATSKey.transportSecurity] ?? .null
    guard value == .null || value.members != nil else {
      throw Fault(
        description: "\(ATSKey.transportSecurity) is no dictionary; a device would ignore it, and ATS would be fully on"
      )
    }
    transportSecurity = value
    sdk = members["DTSDKName"]?.text.flatMap { LinkedSDK($0) }
    bundleIdentifier = members["CFBundleIdentifier"]?.text.flatMap { $0.contains("$") || $0.isEmpty ? nil : $0 }
    misplacedKey =
      value == .null
      ? [ATSKey.exceptionDomains, ATSKey.pinnedDomains, ATSKey.arbitraryLoads].first { members[$0] != nil } : nil
  }
}
