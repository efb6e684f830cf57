import Bytes
import Names
import Testing

@testable import Policy

struct PinTests {
  @Test(
    arguments: [
      ("", []), ("Zg==", [0x66]), ("Zm8=", [0x66, 0x6F]), ("Zm9v", [0x66, 0x6F, 0x6F]), ("+/8=", [0xFB, 0xFF]),
    ] as [(String, [UInt8])])
  func base64(_ text: String, _ bytes: [UInt8]) {
    #expect(Base64.decode(text) == bytes)
    #expect(Base64.encode(bytes) == text)
  }

  @Test(arguments: ["Z", "Zg", "Zg=", "Zg===", "Zh==", "Z===", "====", "=Zg=", "Zm9v ", "Zm 9", "-_8=", "Zm9vé"])
  func notBase64(_ text: String) { #expect(Base64.decode(text) == nil) }

  @Test func pinsAreReadInBothSpellings() throws {
    let digest = "flUN9mYPmbQZ0jCTHMo2iEhYuYQrJ3iKdeRV7x+8s50="
    let pin = try #require(Pin("sha256/" + digest))
    #expect(pin.text == "sha256/" + digest)
    #expect(Pin("sha256//" + digest) == pin)
    // A digest that begins with a slash is no second spelling.
    let slash = "sha256/" + Base64.encode([0xFC] + [UInt8](repeating: 0, count: 31))
    #expect(Pin(slash)?.digest.first == 0xFC)
  }

  @Test(arguments: [
    "", "sha256/", "sha256/AAAA", "sha1/flUN9mYPmbQZ0jCTHMo2iEhYuYQrJ3iKdeRV7x+8s50=",
    "flUN9mYPmbQZ0jCTHMo2iEhYuYQrJ3iKdeRV7x+8s50=", "sha256/flUN9mYPmbQZ0jCTHMo2iEhYuYQrJ3iKdeRV7x+8s5",
  ])
  func otherTextsAreNoPins(_ text: String) { #expect(Pin(text) == nil) }

  @Test(
    arguments: [
      (0, "1970-01-01"), (951_782_400, "2000-02-29"), (1_767_225_599, "2025-12-31"), (-1, "1969-12-31"),
      (4_107_542_400, "2100-03-01"),
    ] as [(Int64, String)])
  func days(_ seconds: Int64, _ text: String) {
    #expect(CalendarDay(secondsSince1970: seconds).description == text)
  }

  @Test func daysOfAnyMomentExist() {
    #expect(!CalendarDay(secondsSince1970: .min).description.isEmpty)
    #expect(!CalendarDay(secondsSince1970: .max).description.isEmpty)
  }
}
