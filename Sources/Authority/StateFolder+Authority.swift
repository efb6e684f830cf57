/// The pair of files `authority.key` and `authority.pem`. An existing key is never overwritten. The key comes first and the certificate
/// can be made anew for it, so a crash in between, or two processes that start at once, end with one pair.
extension StateFolder {
  static let keyName = "authority.key"
  static let certificateName = "authority.pem"

  var keyPath: String { path(Self.keyName) }
  var certificatePath: String { path(Self.certificateName) }
}
