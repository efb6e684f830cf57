/// A set of field names, in any case: what a forwarding writer leaves out. Built once, asked for each field.
public struct FieldNameSet: Sendable, Equatable {
  private var known: UInt64 = 0
  private var names: Set<[UInt8]> = []
  /// One bit for each length of a name in `names`, 63 for all longer ones: most questions end here.
  private var lengths: UInt64 = 0

  public init(_ names: [String] = []) {
    for name in names { insert(Array(name.utf8)) }
  }

  public var isEmpty: Bool { known == 0 && names.isEmpty }

  mutating func insert(_ name: [UInt8]) {
    guard !name.isEmpty else { return }
    let token = FieldName.recognise(name)
    guard token == .other else {
      known |= token.bit
      return
    }
    names.insert(name.map(ByteClass.lowercased))
    lengths |= Self.bit(name.count)
  }

  /// Whether the field with that token and name is in the set.
  func contains(_ token: FieldName, _ name: UnsafeRawBufferPointer) -> Bool {
    guard token == .other else { return known & token.bit != 0 }
    guard lengths & Self.bit(name.count) != 0 else { return false }
    return names.contains(name.map(ByteClass.lowercased))
  }

  private static func bit(_ count: Int) -> UInt64 {
    1 &<< UInt64(min(count, 63))
  }
}
