import Foundation
import FoundationXML

/// Reads a small XML document into elements. Bounded: depth, number of elements; documents with a document type, and so with
/// entities of their own, are refused before the parser sees them, and nothing outside the file is ever fetched.
final class MarkupReader: NSObject, XMLParserDelegate {
  struct Fault: Error, Equatable {
    let message: String
    let line: Int?
    let column: Int?
  }

  static let maximumDepth = 64
  static let maximumElementCount = 100_000

  private var open: [MarkupElement] = []
  private var root: MarkupElement?
  private var elementCount = 0
  private var fault: Fault?
  /// The parser complained; it does not always say so when it returns.
  private var hasErred = false

  static func read(_ bytes: [UInt8]) throws(Fault) -> MarkupElement {
    try checkBeginning(bytes)
    let reader = MarkupReader()
    let parser = XMLParser(data: Data(bytes))
    parser.shouldResolveExternalEntities = false
    parser.delegate = reader
    let isComplete = parser.parse()
    if let fault = reader.fault { throw fault }
    guard isComplete, parser.parserError == nil, !reader.hasErred, let root = reader.root else {
      // The parser's own words are numbers; its place is what helps.
      throw Fault(
        message: "this is not well-formed XML", line: max(1, parser.lineNumber), column: max(1, parser.columnNumber))
    }
    return root
  }

  /// What could make the bytes mean something else than they look like: encodings, and document types.
  private static func checkBeginning(_ bytes: [UInt8]) throws(Fault) {
    guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
      throw Fault(message: "this is not valid UTF-8", line: nil, column: nil)
    }
    guard text.range(of: "<!DOCTYPE", options: .caseInsensitive) == nil, !text.contains("<!ENTITY") else {
      throw Fault(
        message:
          "a document type (`<!DOCTYPE`) is not allowed: this format has none, and entities could grow without bound",
        line: nil, column: nil)
    }
    let declaration = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.prefix { $0 != ">" }
    guard declaration.hasPrefix("<?xml"), let encoding = declaration.range(of: "encoding") else { return }
    let named = declaration[encoding.upperBound...].drop { "= \t\r\n\"'".contains($0) }
      .prefix { !"\"' \t\r\n?".contains($0) }
    guard ["utf-8", "utf8", "us-ascii"].contains(named.lowercased()) else {
      throw Fault(message: "the encoding `\(named.prefix(40))` is not read; UTF-8 is", line: 1, column: nil)
    }
  }

  private func stop(_ parser: XMLParser, _ message: String) {
    guard fault == nil else { return }
    fault = Fault(message: message, line: parser.lineNumber, column: nil)
    parser.abortParsing()
  }

  // MARK: XMLParserDelegate

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    guard fault == nil else { return }
    guard open.count < Self.maximumDepth else {
      return stop(parser, "nested deeper than \(Self.maximumDepth) levels")
    }
    elementCount += 1
    guard elementCount <= Self.maximumElementCount else {
      return stop(parser, "more than \(Self.maximumElementCount) elements")
    }
    open.append(MarkupElement(name: name, attributes: attributes, line: max(1, parser.lineNumber)))
  }

  func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
    hasErred = true
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    guard fault == nil, let element = open.popLast() else { return }
    if open.isEmpty {
      root = element
    } else {
      open[open.count - 1].children.append(element)
    }
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    guard fault == nil, !open.isEmpty else { return }
    open[open.count - 1].text += text
  }

  func parser(_ parser: XMLParser, foundCDATA block: Data) {
    self.parser(parser, foundCharacters: String(decoding: block, as: UTF8.self))
  }

  func parser(_ parser: XMLParser, foundInternalEntityDeclarationWithName name: String, value: String?) {
    stop(parser, "an entity is declared, which is not allowed")
  }

  func parser(
    _ parser: XMLParser, foundExternalEntityDeclarationWithName name: String, publicID: String?, systemID: String?
  ) {
    stop(parser, "an entity is declared, which is not allowed")
  }

  func parser(_ parser: XMLParser, resolveExternalEntityName name: String, systemID: String?) -> Data? { nil }
}
