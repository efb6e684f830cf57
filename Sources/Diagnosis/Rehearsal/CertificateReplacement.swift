import TLS

/// A certificate with its issuers that is to take the place of another.
public struct CertificateReplacement: Sendable {
  /// As it was named.
  public let oldName: String
  public let newName: String
  /// Leaf first; never empty.
  public let old: [Certificate]
  public let new: [Certificate]
  /// The new leaf came alone, so the issuers of the old one are taken to be sent with it.
  public let borrowsIssuers: Bool

  /// nil: one of them is empty.
  public init?(oldName: String, old: [Certificate], newName: String, new: [Certificate]) {
    guard let leaf = new.first, !old.isEmpty else { return nil }
    self.oldName = oldName
    self.newName = newName
    self.old = old
    borrowsIssuers = new.count == 1 && old.count > 1 && !leaf.isSelfIssued
    self.new = borrowsIssuers ? new + old.dropFirst() : new
  }
}
