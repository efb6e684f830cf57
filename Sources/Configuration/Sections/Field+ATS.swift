import Policy

/// `ats` as it was read; the policy is made of it when the command line had its say.
struct ATSDraft {
  /// The OS whose rules hold when none is named.
  static let defaultOS = OSVersion(major: 18, minor: 4)

  /// Where the dictionary stands.
  enum Source {
    /// In the property list with this path; the field names it.
    case file(Field, path: String)
    case inline(Field)
  }

  var mode = ATSMode.enforce
  var os = ATSDraft.defaultOS
  var dictionary = PropertyValue.null
  var sdk: LinkedSDK?
  var builtInExceptions = false
  /// nil: there is no dictionary.
  var source: Source?

  var compiled: ATSPolicy {
    ATSPolicy(dictionary: dictionary, os: os, mode: mode, builtInExceptions: builtInExceptions, sdk: sdk)
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
        plist.report(
          .error, "`infoPlist` and `dictionary` are given, but only one of them can count; take one away")
      }
      if let plist {
        guard let found = plist.infoPropertyList() else { return draft }
        draft.dictionary = found.transportSecurity
        draft.sdk = found.sdk
        draft.source = .file(plist, path: found.path)
      } else if let inline {
        draft.dictionary = inline.dictionary() ?? .null
        draft.source = .inline(inline)
      }
      return draft
    }
  }

  private func osVersion() -> OSVersion? {
    let expected = "the version of an OS is expected, in quotes, such as \"9\", \"18.4\" or \"26.4.1\""
    guard let text = string(expected) else { return nil }
    return OSVersion(text) ?? reject("\(shown) is no version; \(expected)")
  }

  private var isEmptyObject: Bool {
    guard case .object(let members) = node.value else { return false }
    return members.isEmpty
  }

  private func dictionary() -> PropertyValue? {
    guard case .object(let members) = node.value else {
      return rejectKind(expected: "the NSAppTransportSecurity dictionary is expected")
    }
    if let wrapped = members.first(where: { $0.key == "NSAppTransportSecurity" }), members.count == 1 {
      return reject(
        "\(SettingPath.member(of: path, key: wrapped.key)) is one level too many: write what stands in it directly into `dictionary`"
      )
    }
    return PropertyValue(node)
  }
}
