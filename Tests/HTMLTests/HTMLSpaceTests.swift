import HTML
import Testing

@Suite struct HTMLSpaceTests {
  @Test func fiveBytesAreSpace() {
    #expect((UInt8.min...UInt8.max).filter(\.isHTMLSpace) == [0x09, 0x0A, 0x0C, 0x0D, 0x20])
  }
}
