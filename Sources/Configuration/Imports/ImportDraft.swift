import Policy

/// One entry of `imports` with what its file says.
struct ImportDraft {
  let settings: ImportSettings
  /// One for each format that the file holds: an Info.plist may have both TrustKit's pins and NSPinnedDomains.
  let policies: [ImportedPolicy]
}
