/// Walks the objects of a binary property list before libplist expands it.
///
/// Objects refer to one another by number, so a small file can describe a tree that is endlessly deep or large: an array that holds
/// the array before it twice doubles at each step. This finds out how deep and how large the tree would be.
struct BinaryPropertyListBounds {
  /// The size of the whole tree: bytes of texts and data, and so much for each value.
  private static let maximumCost = 32 << 20
  private static let costOfValue = 64
  private static let trailerLength = 32
  private static let headerLength = 8

  private struct Extent {
    var height: Int
    var cost: Int
  }

  private let bytes: [UInt8]
  private let offsetLength: Int
  private let referenceLength: Int
  private let objectCount: Int
  private let tableOffset: Int
  private var extents: [Int: Extent] = [:]

  static func check(_ bytes: [UInt8]) throws(PropertyList.Fault) {
    guard bytes.count >= headerLength + trailerLength else { throw broken("it is cut off") }
    let trailer = bytes.count - trailerLength
    var bounds = try BinaryPropertyListBounds(bytes, trailer: trailer)
    _ = try bounds.extent(of: bounds.number(at: trailer + 16, length: 8), depth: 0)
  }

  private init(_ bytes: [UInt8], trailer: Int) throws(PropertyList.Fault) {
    self.bytes = bytes
    offsetLength = Int(bytes[trailer + 6])
    referenceLength = Int(bytes[trailer + 7])
    objectCount = Self.number(bytes[trailer + 8..<trailer + 16])
    tableOffset = Self.number(bytes[trailer + 24..<trailer + 32])
    guard (1...8).contains(offsetLength), (1...8).contains(referenceLength) else {
      throw Self.broken("a field width is wrong")
    }
    guard objectCount <= bytes.count, tableOffset <= trailer, (trailer - tableOffset) / offsetLength >= objectCount
    else {
      throw Self.broken("its table of offsets does not fit")
    }
  }

  private static func broken(_ detail: String) -> PropertyList.Fault {
    PropertyList.Fault(message: "this binary property list is damaged: \(detail)")
  }

  /// A big-endian number; what does not fit becomes so large that no check lets it pass.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    let value = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int(exactly: value) ?? Int.max
  }

  private func number(at offset: Int, length: Int) throws(PropertyList.Fault) -> Int {
    guard offset >= 0, length <= 8, offset <= bytes.count - length else { throw Self.broken("an object lies outside") }
    return Self.number(bytes[offset..<offset + length])
  }

  private mutating func extent(of object: Int, depth: Int) throws(PropertyList.Fault) -> Extent {
    guard depth <= PropertyList.maximumDepth else {
      throw PropertyList.Fault(message: "nested deeper than \(PropertyList.maximumDepth) levels, or in a circle")
    }
    guard object < objectCount else { throw Self.broken("it refers to an object that it does not hold") }
    if let known = extents[object] {
      guard depth + known.height <= PropertyList.maximumDepth else {
        throw PropertyList.Fault(message: "nested deeper than \(PropertyList.maximumDepth) levels")
      }
      return known
    }
    let offset = try number(at: tableOffset + object * offsetLength, length: offsetLength)
    let marker = try number(at: offset, length: 1)
    var extent = Extent(height: 0, cost: Self.costOfValue)
    switch marker & 0xF0 {
    case 0x40: extent.cost += try count(marker, at: offset).count
    case 0x50: extent.cost += try textLength(marker, at: offset, unit: 1)
    case 0x60: extent.cost += try textLength(marker, at: offset, unit: 2) * 3
    case 0xA0, 0xC0, 0xD0:
      let (count, content) = try count(marker, at: offset)
      let references = marker & 0xF0 == 0xD0 ? count * 2 : count
      for index in 0..<references {
        let child = try number(at: content + index * referenceLength, length: referenceLength)
        let below = try self.extent(of: child, depth: depth + 1)
        extent.height = max(extent.height, below.height + 1)
        extent.cost += below.cost
        guard extent.cost <= Self.maximumCost else {
          throw PropertyList.Fault(message: "the property list is too large")
        }
      }
    default: break
    }
    extents[object] = extent
    return extent
  }

  /// How many units of one or two bytes a text has. libplist aborts the process when it is asked for a text with a NUL.
  private func textLength(_ marker: Int, at offset: Int, unit: Int) throws(PropertyList.Fault) -> Int {
    let (count, content) = try count(marker, at: offset)
    guard content <= bytes.count - count * unit else { throw Self.broken("a text lies outside") }
    for start in stride(from: content, to: content + count * unit, by: unit) {
      guard bytes[start..<start + unit].contains(where: { $0 != 0 }) else { throw Self.broken("a text holds a NUL") }
    }
    return count
  }

  /// How many items an object has and where they begin: in the low half of its marker, or in an integer behind it.
  private func count(_ marker: Int, at offset: Int) throws(PropertyList.Fault) -> (count: Int, content: Int) {
    guard marker & 0x0F == 0x0F else { return (marker & 0x0F, offset + 1) }
    let width = try number(at: offset + 1, length: 1)
    guard width & 0xF0 == 0x10, width & 0x0F <= 3 else { throw Self.broken("a length is not a number") }
    let length = 1 << (width & 0x0F)
    let count = try number(at: offset + 2, length: length)
    guard count <= bytes.count else { throw Self.broken("an object is longer than the file") }
    return (count, offset + 2 + length)
  }
}
