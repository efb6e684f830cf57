import Testing

@testable import BodyHook

@Suite struct UploadPartTests {
  private let fields = partFields([1, 2, 3], "00112233445566778899aabbccddeeff", 0, of: 1, size: 3)

  @Test func `a part is read`() throws {
    let part = try UploadPart(fields)
    #expect(part.bytes == [1, 2, 3] && part.index == 0 && part.count == 1 && part.meta?.byteCount == 3)
  }

  @Test(
    arguments: [
      (\.identifier, "0011"), (\.identifier, "00112233445566778899AABBCCDDEEFF"), (\.identifier, nil),
      (\.number, "1/1"), (\.number, "0/0"), (\.number, "-1/2"), (\.number, "0"), (\.number, "0/1000000"),
      (\.number, nil), (\.size, "4"), (\.size, "2"), (\.size, nil), (\.data, "AQID="), (\.data, "A"), (\.data, "AQ+D"),
      (\.data, nil), (\.meta, nil), (\.meta, "e30"), (\.meta, "!!"), (\.number, "0/0000000001"),
    ] as [(WritableKeyPath<HookFields, ArraySlice<UInt8>?> & Sendable, String?)])
  func `what is no part is refused`(
    _ field: WritableKeyPath<HookFields, ArraySlice<UInt8>?> & Sendable, _ value: String?
  ) {
    var changed = fields
    changed[keyPath: field] = value.map { Array($0.utf8)[...] }
    #expect(throws: EnvelopeFault.self) { try UploadPart(changed) }
  }

  @Test func `a part that a device cut short is refused`() {
    for count in 0..<(fields.data?.count ?? 0) {
      var changed = fields
      changed.data = fields.data?.prefix(count)
      #expect(throws: EnvelopeFault.self) { try UploadPart(changed) }
    }
  }
}
