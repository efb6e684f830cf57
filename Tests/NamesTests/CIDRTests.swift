import Names
import Testing

struct CIDRTests {
  @Test(arguments: [
    ("10.0.0.0/8", "10.255.255.255", true), ("10.0.0.0/8", "11.0.0.0", false), ("10.0.0.0/8", "::ffff:10.1.2.3", true),
    ("192.0.2.7", "192.0.2.7", true), ("192.0.2.7", "192.0.2.6", false), ("0.0.0.0/0", "203.0.113.1", true),
    ("0.0.0.0/0", "2001:db8::1", false),
    ("127.0.0.0/8", "127.0.0.2", true), ("::1/128", "::1", true), ("::1/128", "::2", false),
    ("::/0", "2001:db8::1", true),
    ("::/0", "192.0.2.1", false), ("2001:db8::/33", "2001:db8:7fff::", true),
    ("2001:db8::/33", "2001:db8:8000::", false),
    ("2001:db8::/64", "2001:db8::ffff", true), ("2001:db8::/65", "2001:db8:0:0:8000::", false),
    ("::ffff:10.0.0.0/104", "10.9.9.9", true),
    ("10.1.2.3/8", "10.9.9.9", true), ("192.168.1.20/32", "192.168.1.20", true),
  ])
  func contains(range: String, address: String, expected: Bool) throws {
    let range = try #require(CIDR(range))
    #expect(range.contains(try #require(IPAddress(address))) == expected)
  }

  @Test(arguments: [
    "", "/", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/08", "10.0.0.0/+8", "10.0.0.0/-1", "10.0.0.0/8 ", "10/8", "::/129",
    "::/1000", "a.test/8",
    "10.0.0.0/8/8", "10.0.0.0/٨", "[::1]/128",
  ])
  func refused(text: String) {
    #expect(CIDR(text) == nil)
  }

  @Test func normalForm() {
    #expect(CIDR("10.1.2.3/8")?.description == "10.0.0.0/8")
    #expect(CIDR("10.1.2.3/8") == CIDR("10.0.0.0/8"))
    #expect(CIDR("192.0.2.7")?.description == "192.0.2.7/32")
    #expect(CIDR("::ffff:10.0.0.0/104") == CIDR("10.0.0.0/8"))
    #expect(CIDR(address: .v4(0), prefixLength: 33) == nil)
  }
}
