/// gzip: one or more members (RFC 1952, section 2.2). What follows the last member and is none is dropped, as browsers do.
final class GzipSource: CodedSource {
  private enum Place {
    /// Before a member, of which `isFirst` must be there.
    case between(isFirst: Bool)
    case inside(isFirst: Bool)
    case over
  }

  private let inflater: Inflater
  private var place = Place.between(isFirst: true)
  /// Whether the member has said anything.
  private var hasWritten = false

  init() throws(CodingFault) {
    guard let inflater = Inflater(.gzip) else { throw .unavailable(.gzip) }
    self.inflater = inflater
  }

  var isComplete: Bool {
    if case .inside = place { false } else { true }
  }

  func step(_ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer) throws(CodingFault) -> CodedStep {
    if case .between(let isFirst) = place, let byte = input.first {
      place = isFirst || byte == 0x1F ? .inside(isFirst: isFirst) : .over
    }
    guard case .inside(let isFirst) = place else { return CodedStep(consumed: input.count, produced: 0) }
    let (step, end) = inflater.step(input, output)
    hasWritten = hasWritten || step.produced > 0
    switch end {
    case .goesOn: break
    case .streamEnded:
      inflater.reset()
      hasWritten = false
      place = .between(isFirst: false)
    case .broken where isFirst || hasWritten: throw .corrupt(.gzip)
    case .broken:
      place = .over
      return CodedStep(consumed: input.count, produced: 0)
    }
    return step
  }
}
