import Foundation
import Policy

/// A key and its value as XML, as Xcode writes them: to be pasted into a property list.
public struct PropertyListFragment: Sendable {
  private var lines: [String] = []

  public init(_ key: String, _ value: PropertyValue, depth: Int = 0) {
    add(key: key, value, depth: depth)
  }

  /// Lines with a line feed each.
  public var text: String { lines.reduce(into: "") { $0 += $1 + "\n" } }

  private mutating func add(key: String, _ value: PropertyValue, depth: Int) {
    add("<key>\(Self.escaped(key))</key>", depth)
    add(value, depth: depth)
  }

  private mutating func add(_ line: String, _ depth: Int) {
    lines.append(String(repeating: "\t", count: depth) + line)
  }

  private mutating func add(_ value: PropertyValue, depth: Int) {
    switch value {
    case .null: add("<string></string>", depth)
    case .boolean(let flag): add(flag ? "<true/>" : "<false/>", depth)
    case .integer(let number): add("<integer>\(number)</integer>", depth)
    case .real(let number): add("<real>\(number)</real>", depth)
    case .string(let text): add("<string>\(Self.escaped(text))</string>", depth)
    case .data(let bytes): add("<data>\(Data(bytes).base64EncodedString())</data>", depth)
    case .date(let seconds): add("<date>\(Date(timeIntervalSince1970: seconds).ISO8601Format())</date>", depth)
    case .array(let elements):
      guard !elements.isEmpty else { return add("<array/>", depth) }
      add("<array>", depth)
      for element in elements { add(element, depth: depth + 1) }
      add("</array>", depth)
    case .dictionary(let members):
      guard !members.isEmpty else { return add("<dict/>", depth) }
      add("<dict>", depth)
      for (key, value) in members.sorted(by: { $0.key < $1.key }) { add(key: key, value, depth: depth + 1) }
      add("</dict>", depth)
    }
  }

  /// Text between two tags.
  static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.append(character)
      }
    }
  }
}
