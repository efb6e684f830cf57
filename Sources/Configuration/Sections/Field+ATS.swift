import Policy

/// `ats` as it was read; the policy is made of it when the command line had its say.
struct ATSDraft {
  /// The OS whose rules hold when none is named.
  static let defaultOS = OSVersion(major: 18, minor: 4)

  var mode = ATSMode.enforce
  var os = ATSDraft.defaultOS
  var dictionary = PropertyValue.null
  var builtInExceptions = false

  var compiled: ATSPolicy {
    ATSPolicy(dictionary: dictionary, os: os, mode: mode, builtInExceptions: builtInExceptions)
  }
}

extension Field {
  func ats() -> ATSDraft? {
    section { section in
      var draft = ATSDraft()
      section.read("mode", into: &draft.mode) { $0.choice(ATSMode.self) }
      section.read("os", into: &draft.os) { $0.osVersion() }
      draft.os = section.field.reading.osOverride ?? draft.os
      section.read("builtInExceptions", into: &draft.builtInExceptions) { $0.boolean() }
      let plist = section.field("infoPlist")
      let inline = section.field("dictionary")
      if let plist, let inline, !inline.isEmptyObject {
        plist.report(.error, "`infoPlist` and `dictionary` are given, but only one of them can count")
      }
      if let plist {
        guard let (dictionary, file) = plist.transportSecurity() else { return draft }
        draft.dictionary = dictionary
        for finding in draft.compiled.lint() { plist.add(finding, file: file) }
      } else if let inline {
        draft.dictionary = inline.dictionary() ?? .null
        for finding in draft.compiled.lint() { inline.addInline(finding) }
      }
      return draft
    }
  }

  private func osVersion() -> OSVersion? {
    let expected = "the version of an OS such as \"18.4\" is expected"
    guard let text = string(expected) else { return nil }
    return OSVersion(text) ?? reject("\(shown) is no version; \(expected)")
  }

  private var isEmptyObject: Bool {
    guard case .object(let members) = node.value else { return false }
    return members.isEmpty
  }

  private func dictionary() -> PropertyValue? {
    guard case .object = node.value else {
      return rejectKind(expected: "the NSAppTransportSecurity dictionary is expected")
    }
    return PropertyValue(node)
  }

  /// `NSAppTransportSecurity` of the property list that this names, and the path of that file.
  private func transportSecurity() -> (dictionary: PropertyValue, file: String)? {
    guard let (bytes, path) = contents() else { return nil }
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
    guard case .dictionary = root else { return reject("`\(path)` holds no dictionary") }
    guard let dictionary = root["NSAppTransportSecurity"] else {
      report(.note, "`\(path)` has no NSAppTransportSecurity, so the rules of an app without exceptions hold")
      return nil
    }
    guard case .dictionary = dictionary else { return reject("NSAppTransportSecurity in `\(path)` is no dictionary") }
    return (dictionary, path)
  }

  /// Takes over a finding of the linter about a property list.
  private func add(_ finding: Finding, file: String) {
    var finding = finding
    finding.file = file
    finding.keyPath = finding.keyPath.isEmpty ? "NSAppTransportSecurity" : "NSAppTransportSecurity.\(finding.keyPath)"
    reading.add(finding)
  }

  /// Takes over a finding of the linter about a dictionary in the configuration file, with the place of its key.
  private func addInline(_ finding: Finding) {
    let keyPath = finding.keyPath.isEmpty ? path.description : "\(path).\(finding.keyPath)"
    reading.report(finding.level, finding.message, path: keyPath, at: node.offset(of: finding.keyPath) ?? node.offset)
  }
}

extension JSON5Node {
  /// Where the key stands that a dotted path names, or the last one on the way to it. Keys may have dots in them.
  fileprivate func offset(of keyPath: String) -> Int? {
    guard case .object(let members) = value, !keyPath.isEmpty else { return nil }
    let match = members.filter { keyPath == $0.key || keyPath.hasPrefix($0.key + ".") }.max {
      $0.key.count < $1.key.count
    }
    guard let match else { return nil }
    return match.value.offset(of: String(keyPath.dropFirst(match.key.count + 1))) ?? match.keyOffset
  }
}
