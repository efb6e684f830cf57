import Bytes
import Dispatch
import Foundation
import Records
import Synchronization

/// The devices that have been at the site, and what the trust doctor saw of them. Any thread may use it; it answers at once.
///
/// It is bounded: of more devices than `limit` the ones that were seen longest ago are forgotten. What is kept over restarts is handed to
/// `save` on a thread of its own, at most once in `pause`.
public final class DeviceRegistry: Sendable {
  public static let limit = 256
  private static let pause = DispatchTimeInterval.seconds(2)

  /// Something that was seen of a device.
  enum Event: Sendable {
    case visit(InternalRequest.Way)
    case download
    case refusal(String)
    /// The device's own time, in milliseconds since 1970.
    case clock(Int64)
  }

  private struct State {
    var devices: [Device.Key: Device] = [:]
    var isSaveDue = false
  }

  private struct Document: Codable {
    var devices: [Device]
  }

  private let state: Mutex<State>
  private let queue = DispatchQueue(label: "pinwarden.devices", qos: .utility)
  private let save: @Sendable ([UInt8]) -> Void
  private let now: @Sendable () -> Int64

  /// - Parameters:
  ///   - kept: what `save` was given last, in an earlier run; anything else counts as nothing.
  ///   - now: milliseconds since 1970.
  ///   - save: keeps a document; may block.
  public init(
    kept: [UInt8] = [], now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1_000) },
    save: @escaping @Sendable ([UInt8]) -> Void = { _ in }
  ) {
    self.now = now
    self.save = save
    var known: [Device.Key: Device] = [:]
    let document = try? JSONDecoder().decode(Document.self, from: Data(kept))
    for device in document?.devices.prefix(Self.limit) ?? [] where device.isPlausible { known[device.key] = device }
    state = Mutex(State(devices: known))
  }

  // MARK: what happens

  /// Notes what was seen, and tells what is known of the device now.
  @discardableResult
  func note(_ event: Event, of key: Device.Key, userAgent: String = "") -> Device {
    let time = now()
    let (device, mustSchedule) = state.withLock { state in
      var device = state.devices[key] ?? Device(key, at: time)
      if state.devices[key] == nil, state.devices.count >= Self.limit { Self.forgetOne(&state) }
      device.lastSeen = time
      if !userAgent.isEmpty { device.userAgent = Self.cut(userAgent) }
      Self.apply(event, to: &device, at: time)
      state.devices[key] = device
      defer { state.isSaveDue = true }
      return (device, !state.isSaveDue)
    }
    if mustSchedule { queue.asyncAfter(deadline: .now() + Self.pause) { [weak self] in self?.saveIfDue() } }
    return device
  }

  private static func apply(_ event: Event, to device: inout Device, at time: Int64) {
    switch event {
    case .visit(.direct): device.direct = time
    case .visit(.proxy): device.proxied = time
    case .visit(.securedProxy):
      device.proxied = time
      device.trusted = time
    case .download: device.downloaded = time
    case .refusal(let detail):
      device.refused = time
      device.refusal = cut(detail)
      device.proxied = time
    case .clock(let theirs):
      // Differences of honest times cannot overflow, and others are none.
      let (offset, isOverflow) = theirs.subtractingReportingOverflow(time)
      guard !isOverflow, offset.magnitude < 1 << 53 else { return }
      device.clockOffset = offset
      device.clockSeen = time
    }
  }

  private static func forgetOne(_ state: inout State) {
    guard let oldest = state.devices.min(by: { $0.value.lastSeen < $1.value.lastSeen }) else { return }
    state.devices[oldest.key] = nil
  }

  private static func cut(_ text: String) -> String {
    guard text.utf8.count > Device.agentByteCount else { return text }
    // A character that is cut through would grow when it is repaired.
    return String(decoding: text.utf8.prefix(Device.agentByteCount - 3), as: UTF8.self)
      .trimmingCharacters(in: CharacterSet(charactersIn: "\u{FFFD}"))
  }

  // MARK: what is known

  /// The one that was seen last first.
  var devices: [Device] {
    state.withLock { Array($0.devices.values) }.sorted { ($0.lastSeen, $0.client) > ($1.lastSeen, $1.client) }
  }

  /// `{devices: [{client, lane, firstSeen, lastSeen, userAgent, doctor: {proxy, certificate, clock, …}}]}`, the last seen first.
  public var document: [UInt8] {
    let out = ByteQueue()
    var json = JSONText(into: out)
    json.beginObject()
    json.beginArray("devices")
    for device in devices { device.write(to: &json) }
    json.endArray()
    json.endObject()
    return Array(out.bytes)
  }

  // MARK: keeping

  /// Saves at once what is not saved yet. Not for loops.
  public func flush() {
    queue.sync { saveIfDue() }
  }

  private func saveIfDue() {
    let devices = state.withLock { state -> [Device]? in
      guard state.isSaveDue else { return nil }
      state.isSaveDue = false
      return Array(state.devices.values)
    }
    guard let devices, let data = try? JSONEncoder().encode(Document(devices: devices)) else { return }
    save(Array(data))
  }
}
