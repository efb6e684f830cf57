/// How long stored pictures are used without asking the origin (`pictures.freshness`).
public enum Freshness: Sendable, Equatable {
  /// RFC 9111.
  case rfc9111
  /// For so many milliseconds since it was last used, as SDWebImage does with its files; knowingly outside of RFC 9111, section 4.2.4.
  case access(maximumAge: Int64)
}
