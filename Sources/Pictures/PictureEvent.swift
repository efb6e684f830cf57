/// What the cache counts.
public enum PictureEvent: Int, Sendable, CaseIterable {
  /// Answered without the origin.
  case hits
  /// The origin had to be asked for the picture.
  case misses
  /// Confirmed by the origin.
  case revalidated
  /// Served past its time, because the origin failed.
  case stale
  /// Answered from what another client had asked for at the same time.
  case coalesced
  case stored
  /// Loaded ahead of the first request.
  case prefetched
  /// Gone because something changed them, or who decides on them.
  case invalidated
}
