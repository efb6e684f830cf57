import CPSL

/// The public suffix list (publicsuffix.org) as compiled into libpsl; no file is read.
public enum PublicSuffixes {
  /// Whether the list, its private part included, names this suffix: `com`, `co.uk`, `github.io`.
  ///
  /// An unknown single label is none (the list's implicit rule `*` is not applied). `name` may be in any case, with A-labels
  /// or U-labels, and end in a dot; whatever is no host name is no suffix.
  public static func isPublicSuffix(_ name: String) -> Bool {
    guard let host = try? Host(name), host.address == nil else { return false }
    return pinwarden_psl_lists(host.text) != 0
  }
}
