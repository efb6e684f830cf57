/// `deflate`: the zlib format (RFC 9110, section 8.4.1.2), or the raw stream that some servers send. The first two bytes tell.
final class DeflateSource: CodedSource {
  private enum Place {
    case before
    case inside(Inflater)
    case over
  }

  private var place = Place.before
  /// The first byte, while the second is missing.
  private var first: UInt8?

  var isComplete: Bool {
    switch place {
    case .before: first == nil
    case .inside: false
    case .over: true
    }
  }

  func step(_ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer) throws(CodingFault) -> CodedStep {
    switch place {
    case .before: return try begin(input, output)
    case .inside(let inflater): return try step(inflater, input, output)
    case .over: return CodedStep(consumed: input.count, produced: 0)
    }
  }

  private func step(
    _ inflater: Inflater, _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer
  ) throws(CodingFault) -> CodedStep {
    let (step, end) = inflater.step(input, output)
    switch end {
    case .goesOn: break
    case .streamEnded: place = .over
    case .broken: throw .corrupt(.deflate)
    }
    return step
  }

  private func begin(
    _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer
  ) throws(CodingFault) -> CodedStep {
    guard let one = first ?? input.first else { return CodedStep(consumed: 0, produced: 0) }
    guard let two = first == nil ? input.dropFirst().first : input.first else {
      first = one
      return CodedStep(consumed: input.count, produced: 0)
    }
    guard let inflater = Inflater(Self.isZlib(one, two) ? .zlib : .raw) else { throw .unavailable(.deflate) }
    place = .inside(inflater)
    if let first {
      self.first = nil
      _ = try withUnsafeBytes(of: first) { (bytes) throws(CodingFault) in try step(inflater, bytes, output) }
    }
    return try step(inflater, input, output)
  }

  /// RFC 1950, section 2.2: the method, the window, and the check of both.
  private static func isZlib(_ first: UInt8, _ second: UInt8) -> Bool {
    first & 0x0F == 8 && first >> 4 <= 7 && (UInt16(first) << 8 | UInt16(second)) % 31 == 0
  }
}
