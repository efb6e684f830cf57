/// Finds what somebody probably meant, for messages about words that are unknown.
public enum NearestKey {
  /// The candidate with the smallest distance, if that is small for the length of the word; upper and lower case count as equal.
  public static func find(_ word: String, among candidates: [String]) -> String? {
    guard word.utf8.count <= 64 else { return nil }
    let wanted = Array(word.lowercased().utf8)
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
      let tolerated = max(1, max(wanted.count, candidate.utf8.count) / 3)
      guard abs(wanted.count - candidate.utf8.count) <= tolerated else { continue }
      let distance = distance(wanted, Array(candidate.lowercased().utf8))
      if distance <= tolerated, distance < best?.distance ?? Int.max { best = (candidate, distance) }
    }
    return best?.candidate
  }

  /// Insertions, deletions, replacements and exchanges of neighbours that turn one into the other.
  static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...other.count)
    for (row, byte) in one.enumerated() {
      var current = [row + 1]
      current.reserveCapacity(other.count + 1)
      for (column, otherByte) in other.enumerated() {
        var cost = min(last[column + 1], current[column]) + 1
        cost = min(cost, last[column] + (byte == otherByte ? 0 : 1))
        if row > 0, column > 0, byte == other[column - 1], one[row - 1] == otherByte {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      beforeLast = last
      last = current
    }
    return last[other.count]
  }
}
