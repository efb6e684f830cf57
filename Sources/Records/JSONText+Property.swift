import Bytes
import Foundation
public import Policy

extension JSONText {
  /// A value of a property list or of JSON: data as base64, dates as RFC 3339, members by name. Numbers that JSON has not are null.
  public mutating func property(_ key: StaticString?, _ value: PropertyValue) {
    lead(key)
    write(value)
  }

  /// Writes a value whose place has been made.
  private mutating func write(_ value: PropertyValue) {
    switch value {
    case .null: out.append("null")
    case .boolean(let flag): out.append(flag ? "true" : "false")
    case .integer(let number): out.append("\(number)")
    case .real(let number): out.append(number.isFinite ? "\(number)" : "null")
    case .string(let text): quote(text)
    case .data(let bytes): quote(Data(bytes).base64EncodedString())
    case .date(let seconds):
      quote(Timestamp.text(milliseconds: seconds.isFinite ? Int64(clamping: Int(seconds.clamped) * 1_000) : 0))
    case .array(let elements):
      open(UInt8(ascii: "["))
      for element in elements { property(nil, element) }
      endArray()
    case .dictionary(let members):
      open(UInt8(ascii: "{"))
      for (name, value) in members.sorted(by: { $0.key < $1.key }) {
        lead(named: name)
        write(value)
      }
      endObject()
    }
  }
}

extension Double {
  /// Within the years that a time stamp can have.
  fileprivate var clamped: Double { Swift.min(Swift.max(self, 0), 253_402_300_799) }
}
