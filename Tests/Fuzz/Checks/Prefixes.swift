/// Where to cut `bytes` to look at what comes first: everywhere, or at some sixty places if there are many.
func cuts(_ bytes: [UInt8]) -> StrideTo<Int> {
  stride(from: 0, to: bytes.count, by: bytes.count / 64 + 1)
}

/// A reader of first bytes must not change its mind: what it says of a part, but for "need more", it says of the whole.
func claimSteady<Answer: Equatable>(
  _ bytes: [UInt8], needMore: Answer, _ read: (UnsafeRawBufferPointer) -> Answer
) throws(Complaint) {
  let whole = bytes.withUnsafeBytes(read)
  for end in cuts(bytes) {
    let part = bytes[..<end].withUnsafeBytes(read)
    try claim(part == needMore || part == whole, "\(end) bytes: \(part), but all \(bytes.count): \(whole)")
  }
}
