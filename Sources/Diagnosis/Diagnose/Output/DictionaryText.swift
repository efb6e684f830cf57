import Foundation
import Policy

/// A dictionary of a property list in text.
enum DictionaryText {
  /// As `nscurl --verbose` prints it: Foundation's description, in which Booleans are words.
  static func lines(_ value: PropertyValue) -> [String] {
    described(value, indent: "")
  }

  private static func described(_ value: PropertyValue, indent: String) -> [String] {
    guard case .dictionary(let members) = value else { return [indent + scalar(value)] }
    let inner = indent + "    "
    var lines = [indent + "{"]
    for (key, member) in members.sorted(by: { $0.key < $1.key }) {
      if case .dictionary = member {
        let nested = described(member, indent: inner)
        lines.append("\(inner)\(word(key)) =     {")
        lines += nested.dropFirst().dropLast() + ["\(inner)};"]
      } else {
        lines.append("\(inner)\(word(key)) = \(scalar(member));")
      }
    }
    return lines + [indent + "}"]
  }

  /// Quoted unless it is letters and digits alone.
  private static func word(_ text: String) -> String {
    let isPlain = !text.isEmpty && text.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "_") }
    return isPlain ? text : "\"\(text)\""
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }

  private static func scalar(_ value: PropertyValue) -> String {
    switch value {
    case .boolean(let flag): flag ? "true" : "false"
    case .string(let text): word(text)
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    default: "…"
    }
  }

  /// As an Info.plist has it, from the key on: what can be copied into one.
  ///
  /// - Parameter step: by how much each level is indented.
  static func xml(_ value: PropertyValue, key: String, indent: String = "", step: String = "\t") -> [String] {
    ["\(indent)<key>\(escaped(key))</key>"] + xml(value, indent: indent, step: step)
  }

  private static func xml(_ value: PropertyValue, indent: String, step: String) -> [String] {
    switch value {
    case .dictionary(let members):
      guard !members.isEmpty else { return [indent + "<dict/>"] }
      let inner = members.sorted { $0.key < $1.key }
        .flatMap { xml($0.value, key: $0.key, indent: indent + step, step: step) }
      return [indent + "<dict>"] + inner + [indent + "</dict>"]
    case .array(let elements):
      guard !elements.isEmpty else { return [indent + "<array/>"] }
      let inner = elements.flatMap { xml($0, indent: indent + step, step: step) }
      return [indent + "<array>"] + inner + [indent + "</array>"]
    case .boolean(let flag): return [indent + (flag ? "<true/>" : "<false/>")]
    case .string(let text): return ["\(indent)<string>\(escaped(text))</string>"]
    case .integer(let number): return ["\(indent)<integer>\(number)</integer>"]
    case .real(let number): return ["\(indent)<real>\(number)</real>"]
    case .data(let bytes): return ["\(indent)<data>\(Data(bytes).base64EncodedString())</data>"]
    case .date(let seconds):
      return ["\(indent)<date>\(Date(timeIntervalSince1970: seconds).formatted(.iso8601))</date>"]
    case .null: return []
    }
  }

  static func escaped(_ text: String) -> String {
    text.reduce(into: "") { escaped, character in
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      default: escaped.append(character)
      }
    }
  }
}
