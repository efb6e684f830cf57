import Foundation

/// An element of an XML document with its place.
struct MarkupElement {
  let name: String
  let attributes: [String: String]
  /// 1-based.
  let line: Int
  /// Everything between its tags that is text.
  var text = ""
  var children: [MarkupElement] = []

  var trimmedText: String { text.trimmingCharacters(in: .whitespacesAndNewlines) }
}
