import Names

extension ATSProfile {
  /// Whether `NSAllowsLocalNetworking` is about this destination (spec A.4). The name in the URL decides, never the address behind it.
  ///
  /// A single label with a trailing dot is a name in the root zone, not an unqualified one, so it is not local.
  func isLocal(_ host: Host) -> Bool {
    guard localIsFree else { return false }
    if let address = host.address {
      return everyAddressIsLocal || address.isLoopback || address.isPrivate || address.isLinkLocal
    }
    // By bytes: the text is all ASCII.
    let name = host.text.utf8
    return name.suffix(Self.localSuffix.count).elementsEqual(Self.localSuffix)
      || (!host.hasTrailingDot && !name.contains(UInt8(ascii: ".")))
  }

  private static let localSuffix = Array(".local".utf8)
}
