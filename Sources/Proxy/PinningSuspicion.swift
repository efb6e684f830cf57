/// What it most likely means that a client keeps refusing our certificate for a host. The raw value stands in the log.
enum PinningSuspicion: String, Equatable, Sendable {
  /// It accepts our certificates for other hosts: the app pins this one, or trusts its own authorities only.
  case pinned
  /// It refuses us for every host that it has tried, or says that it does not know our authority: it does not trust it.
  case untrustedAuthority = "authority-not-trusted"
  /// It has tried this host only.
  case unclear
}
