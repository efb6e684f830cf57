import TLS

/// A text of everything that values hold, in an order that is the same in every run, for a digest that tells equal ones from different
/// ones. For values that decide about trust: what a type calls itself by may leave something out, so its members are walked through.
struct ValueOutline {
  private var text = ""
  /// Nothing of what is outlined here is nested deeper.
  private static let depthLimit = 32

  mutating func add(_ name: StaticString, _ value: Any) {
    text += "\(name)=\(Self.outline(of: value, depth: 0))\n"
  }

  /// SHA-256 of the text, in hexadecimal digits.
  var digest: String {
    Digest.sha256(Array(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func outline(of value: Any, depth: Int) -> String {
    if let certificate = value as? Certificate { return "certificate\(certificate.fingerprint)" }
    let mirror = Mirror(reflecting: value)
    guard depth < depthLimit, !mirror.children.isEmpty else { return quoted("\(value)") }
    var parts = mirror.children.map { child in
      (child.label.map { "\($0):" } ?? "") + outline(of: child.value, depth: depth + 1)
    }
    switch mirror.displayStyle {
    case .set?, .dictionary?: parts.sort()
    default: break
    }
    return "\(mirror.subjectType)(\(parts.joined(separator: ",")))"
  }

  /// So that no text can look like two.
  private static func quoted(_ text: String) -> String {
    "\(text.utf8.count)'\(text)'"
  }
}
