import Testing

@testable import Records

@Suite struct CapturedFieldsTests {
  private func fields(_ pairs: [([UInt8], [UInt8])]) -> CapturedFields {
    var fields = CapturedFields()
    for (name, value) in pairs {
      name.withUnsafeBytes { name in value.withUnsafeBytes { fields.append(name: name, value: $0) } }
    }
    return fields
  }

  @Test func `fields come out in their order, spelt as they were`() {
    let given = [("Host", "a.test"), ("X-Empty", ""), ("x-dup", "1"), ("X-Dup", "2: 3\n4")].map {
      CapturedMessage.Field(name: $0.0, value: $0.1)
    }
    #expect(CapturedFields(given).fields == given)
    #expect(CapturedMessage(fields: given).fields == given)
    #expect(CapturedFields().fields.isEmpty && CapturedFields().isEmpty)
    var two = CapturedFields(given)
    two.append(CapturedFields(given))
    #expect(two.fields == given + given)
  }

  @Test(arguments: [
    "Authorization", "authorization", "PROXY-AUTHORIZATION", "Proxy-Authorization", "Cookie", "cookie", "Set-Cookie",
    "sEt-cOoKiE",
  ])
  func `secret values do not get in`(_ name: String) {
    let given = [CapturedMessage.Field(name: name, value: "hush")]
    let redacted = [CapturedMessage.Field(name: name, value: CapturedMessage.Field.redacted)]
    #expect(CapturedFields(given).fields == redacted)
    var message = CapturedMessage(fields: [])
    message.fields = given
    #expect(message.fields == redacted && !"\(message)".contains("hush"))
  }

  @Test(arguments: ["Set-Cookie2", "Cookies", "X-Cookie", "Authorisation", "Authentication-Info", "\u{23}ookie"])
  func `other values stay`(_ name: String) {
    let given = [CapturedMessage.Field(name: name, value: "open")]
    #expect(CapturedFields(given).fields == given)
  }

  @Test func `bytes that are no text are replaced`() {
    let found = fields([([0x58], [0x61, 0xFF, 0x00, 0x0A])]).fields
    #expect(found == [CapturedMessage.Field(name: "X", value: "a\u{FFFD}\u{0}\n")])
  }
}
