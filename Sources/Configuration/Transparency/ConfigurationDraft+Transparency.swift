import Policy

extension ConfigurationDraft {
  /// Gives the trust policies that require Certificate Transparency the log list, and says where requiring it cannot work.
  mutating func assignLogList() {
    for (name, draft) in trust.sorted(by: { $0.key < $1.key }) where draft.requiresTransparency {
      let field = draft.field.member("requiresCertificateTransparency")
      guard let list = transparency.logList else {
        // A list that is named but cannot be used has been reported.
        if !transparency.namesList {
          field.report(.error, "this needs a list of logs: name the file of one (v3 JSON) in `ct.logList`")
        }
        continue
      }
      trust[name]?.policy.transparency = TransparencyRequirement(
        logs: list, maximumAge: transparency.maximumAgeSeconds)
      warnOfExemption(field, draft)
    }
  }

  /// Only chains to the system's roots need timestamps.
  private func warnOfExemption(_ field: Field, _ draft: TrustDraft) {
    if draft.material.anchorsOnly {
      field.report(
        .warning,
        "this has no effect: all chains of the policy end in its own `anchors`, and only those that end in a root of the "
          + "system need timestamps")
    } else if upstream.anchors != nil {
      field.report(
        .warning,
        "this has no effect: `upstream.anchors` takes the place of the system's roots, and only chains that end in one of "
          + "those need timestamps")
    }
  }
}
