import Glibc

@testable import EventLoop

/// A name server on a loopback port that answers from a table, driven by a loop. What it writes follows RFC 1035
/// section 4.
final class FakeNameServer: EventSource {
  struct Zone: Sendable {
    var a: [String: [[UInt8]]] = [:]
    var aaaa: [String: [[UInt8]]] = [:]
    /// Names that get no answer at all.
    var silent: Set<String> = []
    /// Names that get SERVFAIL.
    var broken: Set<String> = []
    var timeToLive: UInt8 = 60
  }

  private let loop: EventLoop
  private let zone: Zone
  private let asked: Shared<[String]>
  private let descriptor: Int32
  private var key: UInt64 = 0

  /// - Parameter asked: collects the names of the A questions.
  init?(loop: EventLoop, zone: Zone, asked: Shared<[String]>) {
    self.loop = loop
    self.zone = zone
    self.asked = asked
    // 2 is SOCK_DGRAM.
    descriptor = socket(AF_INET, 2, 0)
    guard (try? loopback.withKernelAddress(for: "bind", { bind(descriptor, $0, $1) })) == 0,
      let key = try? loop.register(descriptor, events: 1, source: self)
    else { return nil }
    self.key = key
  }

  /// "127.0.0.1:port".
  var address: String {
    SocketAddress { getsockname(descriptor, $0, $1) }?.description ?? ""
  }

  func loopStopped() {
    close(descriptor)
  }

  func eventArrived(_ events: UInt32) {
    var question = [UInt8](repeating: 0, count: 512)
    var answer: [UInt8]?
    var count = 0
    let peer = SocketAddress { address, length in
      count = recvfrom(descriptor, &question, 512, 0, address, length)
      return count < 0 ? -1 : 0
    }
    guard let peer, count > 16 else { return }
    answer = self.answer(Array(question[..<count]))
    guard let answer else { return }
    _ = try? peer.withKernelAddress(for: "sendto") { sendto(descriptor, answer, answer.count, 0, $0, $1) }
  }

  private func answer(_ question: [UInt8]) -> [UInt8]? {
    var labels: [String] = []
    var index = 12
    while question[index] != 0 {
      let length = Int(question[index])
      labels.append(String(decoding: question[(index + 1)...(index + length)], as: UTF8.self))
      index += length + 1
    }
    let name = labels.joined(separator: ".").lowercased()
    let type = question[index + 2]
    if type == 1 { asked.change { $0.append(name) } }
    if zone.silent.contains(name) { return nil }
    let records = (type == 1 ? zone.a : zone.aaaa)[name] ?? []
    let isKnown = zone.a[name] != nil || zone.aaaa[name] != nil
    let code: UInt8 = zone.broken.contains(name) ? 2 : isKnown ? 0 : 3
    var reply = Array(question[..<2]) + [0x81, 0x80 | code, 0, 1, 0, UInt8(records.count), 0, 0, 0, 0]
    reply += question[12..<(index + 5)]
    for record in records {
      reply += [0xC0, 12, 0, type, 0, 1, 0, 0, 0, zone.timeToLive, 0, UInt8(record.count)] + record
    }
    return reply
  }
}
