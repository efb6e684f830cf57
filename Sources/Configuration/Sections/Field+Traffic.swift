import Names
import Policy

/// `bodies`, `pictures`, `limits`, `store` and `log`.
extension Field {
  private static let counts = 1...100_000_000
  private static let sizes = 0...(1 << 40)

  func bodies() -> BodySettings? {
    section { section in
      var settings = BodySettings()
      section.read("receipts", into: &settings.receipts) { $0.boolean() }
      section.read("capture", into: &settings.captureByteCount) { $0.captureSize() }
      section.read("hook", into: &settings.hook) { $0.hook() }
      section.read("stripHeaders", into: &settings.stripHeaders) { $0.list { $0.fieldName() } }
      return settings
    }
  }

  private func hook() -> HookSettings? {
    section { section in
      var settings = HookSettings()
      section.read("hosts", into: &settings.hosts) { $0.list { $0.hostPattern() } }
      section.read("limit", into: &settings.limit) { $0.byteCount(in: 1...(1 << 30)) }
      return settings
    }
  }

  func captureSize() -> Int? { byteCount(in: 0...(64 << 20)) }

  /// The name of a header field (RFC 9110, section 5.1) in lower case.
  private func fieldName() -> String? {
    guard let text = nonEmptyString("the name of a header field is expected") else { return nil }
    let isToken = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
      }
    }
    return isToken ? text.lowercased() : reject("\(shown) is no name of a header field")
  }

  func pictures() -> PictureSettings? {
    section { section in
      var settings = PictureSettings()
      section.read("hosts", into: &settings.hosts) { $0.list { $0.hostPattern() } }
      section.read("extensions", into: &settings.extensions) { $0.list { $0.nonEmptyString().map { $0.lowercased() } } }
      section.read("memory", into: &settings.memoryByteCount) { $0.byteCount(in: Self.sizes) }
      section.read("disk", into: &settings.diskByteCount) { $0.byteCount(in: Self.sizes) }
      section.read("freshness", into: &settings.freshness) { $0.choice(PictureSettings.Freshness.self) }
      section.read("maxAge", into: &settings.maximumAge) { $0.duration() }
      section.read("prefetch", into: &settings.prefetch) { $0.boolean() }
      return settings
    }
  }

  func limits() -> Limits? {
    section { section in
      var limits = Limits()
      section.read("connections", into: &limits.connections) { $0.integer(in: 1...1_000_000) }
      section.read("head", into: &limits.head) { $0.byteCount(in: 1024...(1 << 20)) }
      section.read("headTimeout", into: &limits.headTimeout) { $0.duration() }
      section.read("requestTimeout", into: &limits.requestTimeout) { $0.duration() }
      section.read("drain", into: &limits.drain) { $0.duration(in: .zero...Duration.seconds(86_400)) }
      section.read("keepAlive", into: &limits.keepAlive) { $0.duration() }
      section.read("tunnelIdle", into: &limits.tunnelIdle) { $0.duration() }
      section.read("webSocketIdle", into: &limits.webSocketIdle) { $0.duration() }
      section.read("http2", into: &limits.http2) { $0.http2Limits() }
      return limits
    }
  }

  private func http2Limits() -> HTTP2Limits? {
    section { section in
      var limits = HTTP2Limits()
      section.read("streams", into: &limits.streams) { $0.integer(in: 1...10_000) }
      section.read("resets", into: &limits.resets) { $0.integer(in: Self.counts) }
      section.read("settings", into: &limits.settings) { $0.integer(in: Self.counts) }
      section.read("pings", into: &limits.pings) { $0.integer(in: Self.counts) }
      section.read("emptyFrames", into: &limits.emptyFrames) { $0.integer(in: Self.counts) }
      section.read("continuations", into: &limits.continuations) { $0.integer(in: 1...1000) }
      return limits
    }
  }

  func store() -> StoreSettings? {
    section { section in
      var settings = StoreSettings()
      section.read("bytes", into: &settings.byteCount) { $0.byteCount(in: (1 << 20)...(1 << 40)) }
      section.read("exchanges", into: &settings.exchangeCount) { $0.integer(in: Self.counts) }
      return settings
    }
  }

  func log() -> LogSettings? {
    section { section in
      var settings = LogSettings()
      section.read("format", into: &settings.format) { $0.choice(LogSettings.Format.self) }
      section.read("level", into: &settings.level) { $0.choice(LogSettings.Level.self) }
      return settings
    }
  }
}
