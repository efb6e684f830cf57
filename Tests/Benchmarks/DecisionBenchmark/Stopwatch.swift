/// Times a call over many batches.
enum Stopwatch {
  private static let batchCount = 400
  private static let warmUpCount = 20
  /// Keeps results alive, so that no call is optimised away.
  nonisolated(unsafe) private static var sink = 0

  /// Nanoseconds for each call.
  static func measure<Element>(_ elements: [Element], _ call: (Element) -> Int) -> (median: Int, high: Int) {
    let clock = ContinuousClock()
    var times: [Int] = []
    for batch in 0..<(warmUpCount + batchCount) {
      let time = clock.measure { for element in elements { sink &+= call(element) } }
      let nanoseconds = time.components.seconds * 1_000_000_000 + time.components.attoseconds / 1_000_000_000
      if batch >= warmUpCount { times.append(Int(nanoseconds) / elements.count) }
    }
    times.sort()
    return (times[times.count / 2], times[times.count * 9 / 10])
  }
}
