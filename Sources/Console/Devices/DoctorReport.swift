/// What the trust doctor makes of a device. A value, derived whenever somebody asks.
struct DoctorReport: Equatable, Sendable {
  enum Proxy: String { case ok, missing, unknown }
  enum Certificate: String { case trusted, refused, unknown }
  enum Clock: String { case ok, off, unknown }

  /// The first step that is left to do.
  enum Step: String {
    case proxy
    /// To install the certificate.
    case certificate
    /// The file has been downloaded: to install it and, on iOS, to switch full trust on.
    case trust
    case clock
  }

  /// A clock that is off by more, in milliseconds, breaks what depends on time, such as tokens.
  static let clockTolerance: Int64 = 5 * 60_000
  /// A clock that is off by more than a day can be why a certificate is refused: leaves are dated back by one.
  static let clockDanger: Int64 = 24 * 3_600_000
  /// How much older than the last visit past the proxy the last one through it may be: the page asks both at once.
  static let proxyLag: Int64 = 30_000

  let proxy: Proxy
  let certificate: Certificate
  let clock: Clock
  let hasDownloaded: Bool
  /// nil: nothing is known to be missing.
  let missing: Step?

  init(_ device: Device) {
    proxy = Self.proxy(device)
    certificate = Self.certificate(device)
    clock = device.clockOffset.map { $0.magnitude > UInt64(Self.clockTolerance) ? .off : .ok } ?? .unknown
    hasDownloaded = device.downloaded != nil
    let isClockDangerous = (device.clockOffset?.magnitude ?? 0) > UInt64(Self.clockDanger)
    missing =
      switch (proxy, certificate) {
      case (.missing, _): .proxy
      case (_, .refused): isClockDangerous ? .clock : hasDownloaded ? .trust : .certificate
      default: clock == .off ? .clock : nil
      }
  }

  private static func proxy(_ device: Device) -> Proxy {
    switch (device.proxied, device.direct) {
    case (nil, nil): .unknown
    case (nil, _?): .missing
    case (_?, nil): .ok
    case (let proxied?, let direct?): proxied + proxyLag >= direct ? .ok : .missing
    }
  }

  private static func certificate(_ device: Device) -> Certificate {
    switch (device.trusted, device.refused) {
    case (nil, nil): .unknown
    case (_?, nil): .trusted
    case (nil, _?): .refused
    case (let trusted?, let refused?): trusted >= refused ? .trusted : .refused
    }
  }
}
