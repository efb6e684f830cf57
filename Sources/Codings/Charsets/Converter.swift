import Glibc

/// One conversion of iconv. Confined to its owner.
final class Converter {
  enum Stop {
    /// All input is converted.
    case done
    /// The input ends inside a character.
    case incomplete
    /// The input goes on with what is no character here, or has none there.
    case invalid
    case outputFull
  }

  private let descriptor: iconv_t

  /// nil: iconv does not know one of the two.
  init?(from source: String, to target: String) {
    guard let descriptor = iconv_open(target, source), descriptor != iconv_t(bitPattern: -1) else { return nil }
    self.descriptor = descriptor
  }

  deinit {
    iconv_close(descriptor)
  }

  /// Converts the front of `input` and appends to `output`, by at most `limit` bytes.
  /// - Returns: how many bytes of the input are converted, and why it stopped.
  func convert(
    _ input: UnsafeRawBufferPointer, into output: inout [UInt8], limit: Int
  ) -> (consumed: Int, stop: Stop) {
    var consumed = 0
    var room = max(0, limit)
    while true {
      let rest = UnsafeRawBufferPointer(rebasing: input.dropFirst(consumed))
      let wanted = min(room, rest.count * 2 + 16)
      var step = (consumed: 0, stop: Stop.done)
      let piece = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
        step = call(rest, UnsafeMutableRawBufferPointer(buffer), &count)
      }
      consumed += step.consumed
      room -= piece.count
      output += piece
      guard case .outputFull = step.stop, !piece.isEmpty, room > 0 else { return (consumed, step.stop) }
    }
  }

  private func call(
    _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer, _ written: inout Int
  ) -> (consumed: Int, stop: Stop) {
    var source = UnsafeMutablePointer(mutating: input.bindMemory(to: CChar.self).baseAddress)
    var sourceCount = input.count
    var target = output.bindMemory(to: CChar.self).baseAddress
    var room = output.count
    let code = iconv(descriptor, &source, &sourceCount, &target, &room)
    let fault = errno
    written = output.count - room
    return (input.count - sourceCount, code == Int(bitPattern: UInt.max) ? Self.stop(fault) : .done)
  }

  /// Writes what brings a stateful encoding back to its beginning.
  func finish(into output: inout [UInt8]) {
    output += [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
      var target = UnsafeMutableRawBufferPointer(buffer).bindMemory(to: CChar.self).baseAddress
      var room = buffer.count
      iconv(descriptor, nil, nil, &target, &room)
      count = buffer.count - room
    }
  }

  private static func stop(_ fault: Int32) -> Stop {
    switch fault {
    case E2BIG: .outputFull
    case EINVAL: .incomplete
    default: .invalid
    }
  }
}
