import Testing

@testable import Records

struct PlainTextTests {
  @Test("every byte at every place, against the rule itself")
  func everyByte() {
    for length in 1...19 {
      for place in 0..<length {
        for value in UInt8.min...UInt8.max {
          var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: length)
          bytes[place] = value
          let isPlain = (0x20...0x7E).contains(value) && value != 0x22 && value != 0x5C
          #expect(bytes.withUnsafeBytes { PlainText.isPlain($0) } == isPlain, "\(value) at \(place) of \(length)")
        }
      }
    }
  }

  @Test("nothing is plain") func empty() {
    #expect(PlainText.isPlain(UnsafeRawBufferPointer(start: nil, count: 0)))
  }
}
