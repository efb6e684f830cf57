/// Tells a flood of frames from a busy peer. Each frame costs the peer little and this end more, so it is counted.
struct HTTP2Guards {
  private var resets: RateGuard
  private var settings: RateGuard
  private var pings: RateGuard
  private var empties: RateGuard
  private var idles: RateGuard
  private var crumbs: RateGuard
  private let role: HTTP2Session.Role

  init(_ settings: HTTP2Settings, role: HTTP2Session.Role) {
    self.role = role
    resets = RateGuard(limit: settings.resetCount)
    self.settings = RateGuard(limit: settings.settingsCount)
    pings = RateGuard(limit: settings.pingCount)
    empties = RateGuard(limit: settings.emptyFrameCount)
    idles = RateGuard(limit: settings.emptyFrameCount)
    crumbs = RateGuard(limit: settings.emptyFrameCount.multipliedReportingOverflow(by: 10).partialValue)
  }

  /// A frame begins to arrive. The fault if it is one too many of its kind.
  mutating func received(_ frame: FrameHeader, now: UInt64) -> HTTP2Fault? {
    switch frame.type {
    case .data:
      guard frame.length == 0 else {
        pings.forgive(1)
        return nil
      }
      return frame.endsStream ? nil : receivedEmptyData(now: now)
    case .headers:
      pings.forgive(1)
      return nil
    case .reset: return receivedReset(now: now)
    case .settings:
      return frame.isAcknowledgement || settings.admits(now: now)
        ? nil : .flood("The peer sent too many SETTINGS frames.")
    case .ping where !frame.isAcknowledgement:
      return pings.admits(now: now) ? nil : .flood("The peer sent too many PING frames.")
    case .pushPromise, .continuation: return nil
    case .priority, .windowUpdate, .goaway, .ping, .other:
      return receivedIdleFrame(now: now)
    }
  }

  mutating func receivedIdleFrame(now: UInt64) -> HTTP2Fault? {
    idles.admits(now: now) ? nil : .flood("The peer sent too many frames that have no effect.")
  }

  mutating func receivedEmptyData(now: UInt64) -> HTTP2Fault? {
    empties.admits(now: now) ? nil : .flood("The peer sent too many DATA frames without bytes.")
  }

  /// A frame came for which this end resets the stream, which costs as much as a reset by the client.
  mutating func receivedInvalidFrame(now: UInt64) -> HTTP2Fault? {
    receivedReset(now: now)
  }

  private mutating func receivedReset(now: UInt64) -> HTTP2Fault? {
    guard role == .server, !resets.admits(now: now) else { return nil }
    return .flood("The client reset too many streams.")
  }

  /// A message frame went out: the peer may open its windows again for it, those of stream and connection.
  mutating func sentMessageFrame() {
    pings.forgive(1)
    idles.forgive(2)
  }

  /// A window let so few bytes through that the frame around them is the larger part.
  mutating func sentCrumb(now: UInt64) -> HTTP2Fault? {
    crumbs.admits(now: now) ? nil : .flood("The peer opens its windows by too few bytes at a time.")
  }
}
