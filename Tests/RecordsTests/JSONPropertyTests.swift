import Bytes
import Policy
import Testing

@testable import Records

@Suite struct JSONPropertyTests {
  private func text(_ value: PropertyValue) -> String {
    let out = ByteQueue()
    var json = JSONText(into: out)
    json.beginObject()
    json.property("a", value)
    json.integer("b", 1)
    json.endObject()
    return String(decoding: out.bytes, as: UTF8.self)
  }

  @Test(arguments: [
    (PropertyValue.null, "null"), (.boolean(true), "true"), (.integer(-5), "-5"), (.real(1.5), "1.5"),
    (.real(.infinity), "null"), (.string("\""), "\"\\\"\""), (.data([0, 255]), "\"AP8=\""),
    (.date(0), "\"1970-01-01T00:00:00.000Z\""), (.date(-1e300), "\"1970-01-01T00:00:00.000Z\""), (.array([]), "[]"),
    (.array([.integer(1), .array([.null, .dictionary([:])])]), "[1,[null,{}]]"),
    (
      .dictionary(["b": .array([.boolean(false)]), "a": .dictionary(["c": .integer(1)])]), #"{"a":{"c":1},"b":[false]}"#
    ),
  ])
  func eachKindHasAForm(value: PropertyValue, form: String) {
    #expect(text(value) == "{\"a\":\(form),\"b\":1}")
  }
}
