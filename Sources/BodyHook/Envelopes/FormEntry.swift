/// One name of a form with its value.
public struct FormEntry: Sendable, Equatable {
  public enum Value: Sendable, Equatable {
    case text(String)
    case file(name: String, type: String, bytes: ArraySlice<UInt8>)
  }

  public var name: String
  public var value: Value

  /// Reads a list of entries: each is a letter, `t` for a text or `f` for a file, and two or four strings, each with its length in
  /// four bytes, the highest first, before it: name and text, or name, file name, type and bytes.
  public static func list(_ bytes: [UInt8]) throws(EnvelopeFault) -> [FormEntry] {
    var reader = FormEntryReader(rest: bytes[...])
    var entries: [FormEntry] = []
    while !reader.rest.isEmpty { entries.append(try reader.entry()) }
    return entries
  }
}

private struct FormEntryReader {
  var rest: ArraySlice<UInt8>

  mutating func entry() throws(EnvelopeFault) -> FormEntry {
    switch rest.popFirst() {
    case UInt8(ascii: "t"): FormEntry(name: try text(), value: .text(try text()))
    case UInt8(ascii: "f"):
      FormEntry(name: try text(), value: .file(name: try text(), type: try text(), bytes: try string()))
    default: throw .malformed("an entry of the form is neither a text nor a file")
    }
  }

  private mutating func text() throws(EnvelopeFault) -> String {
    String(decoding: try string(), as: UTF8.self)
  }

  private mutating func string() throws(EnvelopeFault) -> ArraySlice<UInt8> {
    guard rest.count >= 4 else { throw .malformed("an entry of the form is cut short") }
    let count = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    rest = rest.dropFirst(4)
    guard rest.count >= count else { throw .malformed("an entry of the form is cut short") }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}
