import Foundation
import Policy

/// Property lists in tests are written as JSON.
extension PropertyValue: Decodable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .real(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([PropertyValue].self) {
      self = .array(value)
    } else {
      self = .dictionary(try container.decode([String: PropertyValue].self))
    }
  }

  static func json(_ text: String) throws -> PropertyValue {
    try JSONDecoder().decode(PropertyValue.self, from: Data(text.utf8))
  }
}

extension PropertyValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral,
  ExpressibleByArrayLiteral
{
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(dictionaryLiteral elements: (String, PropertyValue)...) {
    self = .dictionary(Dictionary(elements) { $1 })
  }
  public init(arrayLiteral elements: PropertyValue...) { self = .array(elements) }
}
