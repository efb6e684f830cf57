/// What an input says to one end of an HTTP/2 connection, and what that end does meanwhile.
///
/// The first byte chooses the end, its limits, and how the rest is to be read: as bytes on the wire, or as short words for frames that are
/// well formed outside. The second says how many bytes behind it are the script of the end that listens.
struct HTTP2Talk {
  /// Frames by their types, as they were sent whole.
  struct Sent {
    var counts: [UInt8: Int] = [:]
    /// Those without the flag that makes PING and SETTINGS answers.
    var asking: [UInt8: Int] = [:]
    /// The code of the last GOAWAY.
    var goaway: UInt32?
    /// Bytes behind the last whole frame.
    var rest = 0
    var longest = 0

    subscript(types: UInt8...) -> Int { types.reduce(0) { $0 + (counts[$1] ?? 0) } }
  }

  let isClient: Bool
  let isTight: Bool
  let script: Dice
  let bytes: [UInt8]

  init(_ input: [UInt8]) {
    let first = input.first ?? 0
    isClient = first & 1 != 0
    isTight = first & 4 != 0
    let count = Int(input.dropFirst().first ?? 0) & 0x7F
    script = Dice(input.dropFirst(2).prefix(count))
    let rest = input.dropFirst(2 + count)
    if first & 2 == 0 {
      bytes = Array(rest)
    } else {
      bytes = (isClient ? [] : Self.preface) + Self.frame(4, 0, 0, []) + Self.frames(Dice(rest))
    }
  }

  private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

  /// A frame is told by type, flags, stream and length, a byte each, and its payload. In the type, 0x80 says that the payload is lines of
  /// fields to be encoded, and 0x40 that a byte follows which says how often the frame is sent; 0x80 in the stream makes it a larger one.
  private static func frames(_ dice: Dice) -> [UInt8] {
    var dice = dice
    var bytes: [UInt8] = []
    while !dice.isEmpty, bytes.count < 1 << 20 {
      let type = dice.byte()
      let (flags, stream) = (dice.byte(), dice.byte())
      let times = type & 0x40 != 0 ? Int(dice.byte()) + 1 : 1
      let payload = dice.bytes(Int(dice.byte()))
      let content = type & 0x80 == 0 ? payload : encoded(payload)
      let number = UInt32(stream & 0x7F) << (stream & 0x80 == 0 ? 0 : 20)
      let frame = frame(type & 0x0F, flags, number, content)
      for _ in 0..<times { bytes += frame }
    }
    return bytes
  }

  private static func frame(_ type: UInt8, _ flags: UInt8, _ stream: UInt32, _ payload: [UInt8]) -> [UInt8] {
    let count = UInt32(payload.count)
    let head = [count >> 16, count >> 8, count].map { UInt8(truncatingIfNeeded: $0) }
    return head + [type, flags] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: stream >> $0) } + payload
  }

  /// Lines of `name:value` as literals without indexing; a colon at the beginning belongs to the name.
  private static func encoded(_ lines: [UInt8]) -> [UInt8] {
    lines.split(separator: UInt8(ascii: "\n")).flatMap { line -> [UInt8] in
      let colon = line.dropFirst().firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
      return [0] + string(line[..<colon]) + string(line[colon...].dropFirst())
    }
  }

  private static func string(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let short = bytes.prefix(126)
    return [UInt8(short.count)] + short
  }

  /// The frames that stand whole in `bytes`. CONTINUATION is counted by the longest row of them.
  static func frames(of bytes: [UInt8]) -> Sent {
    var sent = Sent()
    var row = 0
    var place = bytes.starts(with: preface) ? preface.count : 0
    while place + 9 <= bytes.count {
      let count = Int(bytes[place]) << 16 | Int(bytes[place + 1]) << 8 | Int(bytes[place + 2])
      let (type, flags) = (bytes[place + 3], bytes[place + 4])
      guard place + 9 + count <= bytes.count else { break }
      place += 9 + count
      sent.longest = max(sent.longest, count)
      if type == 7, count >= 8 {
        sent.goaway = bytes[place - count + 4..<place - count + 8].reduce(0) { $0 << 8 | UInt32($1) }
      }
      row = type == 9 ? row + 1 : 0
      sent.counts[type] = type == 9 ? max(row, sent.counts[9] ?? 0) : (sent.counts[type] ?? 0) + 1
      if flags & 1 == 0 { sent.asking[type, default: 0] += 1 }
    }
    sent.rest = bytes.count - place
    return sent
  }
}
