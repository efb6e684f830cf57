import Policy

/// What an app's Info.plist says about App Transport Security.
struct InfoPropertyList {
  let path: String
  /// The value of `NSAppTransportSecurity`; null where the file has none.
  let transportSecurity: PropertyValue
  /// What the app was built with; nil where the file does not tell, as in a source tree.
  let sdk: LinkedSDK?
}

extension Field {
  /// The property list that this names: XML, binary or JSON.
  func infoPropertyList() -> InfoPropertyList? {
    guard let path = filePath() else { return nil }
    guard !FileContents.isFolder(path) else {
      return reject("`\(path)` is a folder; name the Info.plist in it")
    }
    guard let bytes = contents(of: path) else { return nil }
    let root: PropertyValue
    do throws(PropertyList.Fault) {
      root = try PropertyList.read(bytes)
    } catch {
      reading.add(
        Finding(
          level: .error, file: path, line: error.line, column: error.column, keyPath: self.path.description,
          message: error.message))
      return nil
    }
    guard case .dictionary = root else {
      return reject("`\(path)` holds \(root.kind) and no dictionary, so it is no Info.plist")
    }
    guard let dictionary = transportSecurity(in: root, path: path) else { return nil }
    return InfoPropertyList(path: path, transportSecurity: dictionary, sdk: root["DTSDKName"].flatMap(\.linkedSDK))
  }

  private func transportSecurity(in root: PropertyValue, path: String) -> PropertyValue? {
    switch root[Self.transportSecurityKey] {
    case .dictionary(let members)?: return .dictionary(members)
    case let other? where other != .null:
      return reject(
        "\(Self.transportSecurityKey) in `\(path)` is \(other.kind) and no dictionary; a device would ignore it, and ATS would be fully on"
      )
    default: break
    }
    let misplaced = ["NSExceptionDomains", "NSPinnedDomains", "NSAllowsArbitraryLoads"].first { root[$0] != nil }
    let hint =
      "`\(path)` has no \(Self.transportSecurityKey), so the rules of an app without exceptions hold: ATS is fully on"
    if let misplaced {
      report(
        .warning,
        "\(hint); \(misplaced) stands at its top, where a device does not look; put it into \(Self.transportSecurityKey)"
      )
    } else {
      report(.note, hint)
    }
    return .null
  }

  private static var transportSecurityKey: String { "NSAppTransportSecurity" }
}

extension PropertyValue {
  fileprivate var linkedSDK: LinkedSDK? {
    guard case .string(let name) = self else { return nil }
    return LinkedSDK(name)
  }

  /// `a text`, for messages.
  fileprivate var kind: String {
    switch self {
    case .null: "null"
    case .boolean: "a Boolean"
    case .integer, .real: "a number"
    case .string: "a text"
    case .data: "data"
    case .date: "a date"
    case .array: "a list"
    case .dictionary: "a dictionary"
    }
  }
}
