import Policy
import Testing

@testable import Configuration

@Suite struct PropertyListTests {
  private static let expected = PropertyValue.dictionary([
    "NSAppTransportSecurity": .dictionary([
      "NSAllowsArbitraryLoads": .boolean(true), "n": .integer(-2), "r": .real(1.5), "s": .string("é"),
      "a": .array([.integer(1)]),
    ])
  ])

  private static let xml = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!-- a <dict> in a comment -->
    <plist version="1.0"><dict><key>NSAppTransportSecurity</key><dict>
    <key>NSAllowsArbitraryLoads</key><true/><key>n</key><integer>-2</integer><key>r</key><real>1.5</real>
    <key>s</key><string>é</string><key>a</key><array><integer>1</integer></array></dict></dict></plist>
    """

  private static let json = """
    { "NSAppTransportSecurity": { "NSAllowsArbitraryLoads": true, "n": -2, "r": 1.5, "s": "é", "a": [1] } }
    """

  /// Objects, each as its bytes; references are one byte.
  private static func binary(_ objects: [[UInt8]], top: UInt8 = 0) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
      bytes += object
    }
    let table = bytes.count
    bytes += offsets
    bytes += [0, 0, 0, 0, 0, 0, 2, 1]
    bytes += [0, 0, 0, 0, 0, 0, UInt8(objects.count >> 8), UInt8(objects.count & 0xFF)]
    bytes += [0, 0, 0, 0, 0, 0, 0, top]
    bytes += [0, 0, 0, 0, 0, 0, UInt8(table >> 8), UInt8(table & 0xFF)]
    return bytes
  }

  private static let binaryForm = binary([
    [0xD1, 1, 2],  // the root: one key, one value
    [0x5F, 0x10, 22] + Array("NSAppTransportSecurity".utf8),
    [0xD5, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    [0x5F, 0x10, 22] + Array("NSAllowsArbitraryLoads".utf8),
    [0x51, UInt8(ascii: "n")], [0x51, UInt8(ascii: "r")], [0x51, UInt8(ascii: "s")], [0x51, UInt8(ascii: "a")],
    [0x09],
    [0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE],
    [0x23, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0],
    [0x61, 0x00, 0xE9],
    [0xA1, 13],
    [0x10, 1],
  ])

  @Test func `the three forms give the same value`() throws {
    #expect(try PropertyList.read(Array(Self.xml.utf8)) == Self.expected)
    #expect(try PropertyList.read(Self.binaryForm) == Self.expected)
    #expect(try PropertyList.read(Array(Self.json.utf8)) == Self.expected)
  }

  @Test func `dates and data are read`() throws {
    let text = """
      <plist version="1.0"><dict><key>d</key><date>2001-01-01T00:00:10Z</date><key>b</key><data>AQID</data></dict></plist>
      """
    let value = try PropertyList.read(Array(text.utf8))
    #expect(value["d"] == .date(978_307_210))
    #expect(value["b"] == .data([1, 2, 3]))
  }

  @Test(arguments: ["", "junk", "<plist", "<html></html>", "bplist00", "{ \"a\": }"])
  func `anything else is refused`(_ text: String) {
    #expect(throws: PropertyList.Fault.self) { try PropertyList.read(Array(text.utf8)) }
  }

  @Test func `deep trees are refused in each form`() {
    let depth = 200_000
    let xml = String(repeating: "<array>", count: depth) + String(repeating: "</array>", count: depth)
    let json = "{\"a\":" + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}"
    #expect(throws: PropertyList.Fault.self) { try PropertyList.read(Array("<plist>\(xml)</plist>".utf8)) }
    #expect(throws: PropertyList.Fault.self) { try PropertyList.read(Array(json.utf8)) }
    let chain = (0..<100).map { [UInt8(0xA1), UInt8($0 + 1)] } + [[0x09]]
    #expect(throws: PropertyList.Fault.self) { try PropertyList.read(Self.binary(chain)) }
  }

  @Test(
    arguments: [
      ("", #"<array a="/>">"#), ("", #"<array a="</array></array>">"#), ("", #"<array a="><!--">"#),
      ("<?a > <!-- ?>", "<array>"), (#"<?a "?><!--" ?>"#, "<array>"), ("<!DOCTYPE plist [ > <!-- ]>", "<array>"),
      ("</a></b></c>", "<array>"), ("<!DOCTYPE plist [ <!ENTITY a '>'> <![CDATA[ ]>", "<array>"),
    ])
  func `depth cannot be hidden where readers find different ends of markup`(start: String, tag: String) {
    let depth = 200_000
    let arrays = String(repeating: tag, count: depth) + String(repeating: "</array>", count: depth)
    #expect(throws: PropertyList.Fault.self) { try PropertyList.read(Array("\(start)<plist>\(arrays)</plist>".utf8)) }
  }

  @Test(
    arguments: [
      [[0x51, 0]], [[0xA1, 1], [0x51, 0]], [[0xD1, 1, 2], [0x53, 0x61, 0, 0x62], [0x09]],
      [[0xD1, 1, 2], [0x62, 0, 0xE9, 0, 0], [0x09]], [[0x62, 0, 0, 0, 0xE9]], [[0x5F, 0x10, 200, 0x61]],
    ] as [[[UInt8]]])
  func `a NUL in a text of a binary list is refused`(objects: [[UInt8]]) {
    #expect(throws: PropertyList.Fault.self) { try PropertyList.read(Self.binary(objects)) }
  }

  @Test(arguments: ["<key>a\0b</key><true/>", "<key>a</key><string>\0</string>", "<key>&#0;</key><true/>"])
  func `a NUL in an XML list is refused`(members: String) {
    let text = "<plist><dict>\(members)</dict></plist>"
    #expect(throws: PropertyList.Fault.self) { try PropertyList.read(Array(text.utf8)) }
  }

  @Test func `markup of every kind is read`() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <!-- <dict> "quoted --><plist version="1.0" note="a > b"><dict><key>a<!-- < --></key><string><![CDATA[</string>]]></string>
      <key >b</key ><array/><key>c</key><true /></dict></plist>
      """
    #expect(
      try PropertyList.read(Array(text.utf8))
        == .dictionary(["a": .string("</string>"), "b": .array([]), "c": .boolean(true)]))
  }

  @Test func `circles and doubling trees are refused`() {
    #expect(throws: PropertyList.Fault.self) { try PropertyList.read(Self.binary([[0xA1, 0]])) }
    #expect(throws: PropertyList.Fault.self) { try PropertyList.read(Self.binary([[0xA2, 1, 1], [0xA2, 0, 0]])) }
    let doubling = (0..<40).map { [UInt8(0xA2), UInt8($0 + 1), UInt8($0 + 1)] } + [[0x09]]
    #expect(throws: PropertyList.Fault.self) { try PropertyList.read(Self.binary(doubling)) }
  }

  @Test func `mutated property lists neither crash nor hang`() {
    var random = SeededGenerator(seed: 7)
    for turn in 0..<4000 {
      var bytes = turn % 2 == 0 ? Self.binaryForm : Array(Self.xml.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        default: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: place)
        }
      }
      _ = try? PropertyList.read(bytes)
    }
  }
}
