import Policy

/// Property lists with TrustKit's pins or NSPinnedDomains.
extension ImportReader {
  func propertyList(_ bytes: [UInt8]) -> [ImportedPolicy]? {
    do throws(PropertyList.Fault) {
      return propertyList(try PropertyList.read(bytes))
    } catch {
      report(.error, line: error.line, column: error.column, error.message)
      return nil
    }
  }

  func propertyList(_ root: PropertyValue) -> [ImportedPolicy]? {
    let found =
      ([] as [ImportFormat])
      + (TrustKitReader.recognises(root) ? [.trustKit] : [])
      + (Self.pinnedDomains(in: root) == nil ? [] : [.pinnedDomains])
    guard !found.isEmpty else {
      report(
        .error,
        "this property list has no pins: `TSKConfiguration` or `NSPinnedDomains` (in `NSAppTransportSecurity`) is expected"
      )
      return nil
    }
    guard expecting(found), !refuseHosts() else { return nil }
    var policies: [ImportedPolicy] = []
    for format in found where settings.format.map({ $0 == format }) ?? true {
      guard let policy = format == .trustKit ? trustKit(root) : pinnedDomains(root) else { return nil }
      policies.append(policy)
    }
    return policies
  }

  private func trustKit(_ root: PropertyValue) -> ImportedPolicy? {
    var reader = TrustKitReader(now: reading.now)
    let pins = reader.read(root)
    for finding in reader.findings { report(finding.level, keyPath: finding.keyPath, finding.message) }
    return pins.map { policy(.trustKit, .trustKit($0)) }
  }

  private static func pinnedDomains(in root: PropertyValue) -> (value: PropertyValue, prefix: String)? {
    if let value = root["NSAppTransportSecurity"]?["NSPinnedDomains"] { return (value, "NSAppTransportSecurity.") }
    return root["NSPinnedDomains"].map { ($0, "") }
  }

  private func pinnedDomains(_ root: PropertyValue) -> ImportedPolicy? {
    guard let (value, prefix) = Self.pinnedDomains(in: root) else { return nil }
    let newest = ATSPolicy(dictionary: .dictionary(["NSPinnedDomains": value]), os: OSVersion(major: 26, minor: 0))
    for finding in newest.lint() where finding.keyPath.hasPrefix("NSPinnedDomains") {
      report(finding.level, keyPath: prefix + finding.keyPath, finding.message)
    }
    return policy(.pinnedDomains, .pinnedDomains(PinnedDomains(value)))
  }
}
