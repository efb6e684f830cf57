import Codings

/// A form's body, byte for byte as a browser would have written it (HTML, "form submission").
public struct FormBody: Equatable, Sendable {
  public private(set) var bytes: [UInt8] = []
  public let contentType: String

  /// - Parameters:
  ///   - boundary: of a multipart body.
  ///   - limit: how large the body may become.
  public init(
    _ entries: [FormEntry], _ form: EnvelopeMeta.Form, boundary: String, limit: Int
  ) throws(EnvelopeFault) {
    let charset = Charset(label: form.charset) ?? .utf8
    switch form.encoding {
    case .urlencoded: contentType = "application/x-www-form-urlencoded"
    case .plain: contentType = "text/plain"
    case .multipart: contentType = "multipart/form-data; boundary=\(boundary)"
    }
    for (index, entry) in entries.enumerated() {
      switch form.encoding {
      case .urlencoded: appendPair(entry, isFirst: index == 0, charset)
      case .plain: appendLine(entry, charset)
      case .multipart: appendPart(entry, boundary, charset)
      }
      guard bytes.count <= limit else { throw .tooLarge }
    }
    if form.encoding == .multipart { append("--\(boundary)--\r\n") }
  }

  private mutating func append(_ text: String) {
    bytes += Array(text.utf8)
  }

  // MARK: application/x-www-form-urlencoded

  private mutating func appendPair(_ entry: FormEntry, isFirst: Bool, _ charset: Charset) {
    if !isFirst { append("&") }
    appendEscaped(charset.written(Self.normalized(entry.name)))
    append("=")
    appendEscaped(charset.written(Self.normalized(entry.text)))
  }

  private mutating func appendEscaped(_ encoded: [UInt8]) {
    let digits = Array("0123456789ABCDEF".utf8)
    for byte in encoded {
      switch byte {
      case UInt8(ascii: " "): append("+")
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"):
        bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
  }

  // MARK: text/plain

  private mutating func appendLine(_ entry: FormEntry, _ charset: Charset) {
    bytes += charset.written("\(Self.normalized(entry.name))=\(Self.normalized(entry.text))\r\n")
  }

  // MARK: multipart/form-data

  private mutating func appendPart(_ entry: FormEntry, _ boundary: String, _ charset: Charset) {
    append("--\(boundary)\r\nContent-Disposition: form-data; name=\"")
    bytes += Self.quoted(charset.written(Self.normalized(entry.name)))
    append("\"")
    switch entry.value {
    case .text(let text):
      append("\r\n\r\n")
      bytes += charset.written(Self.normalized(text))
    case .file(let name, let type, let content):
      append("; filename=\"")
      bytes += Self.quoted(charset.written(name))
      append("\"\r\nContent-Type: \(type.isEmpty ? "application/octet-stream" : type)\r\n\r\n")
      bytes += content
    }
    append("\r\n")
  }

  private static func quoted(_ encoded: [UInt8]) -> [UInt8] {
    guard encoded.contains(where: { [0x0A, 0x0D, 0x22].contains($0) }) else { return encoded }
    return encoded.flatMap { byte -> [UInt8] in
      switch byte {
      case 0x0A: Array("%0A".utf8)
      case 0x0D: Array("%0D".utf8)
      case 0x22: Array("%22".utf8)
      default: [byte]
      }
    }
  }

  /// Every line end becomes CR and LF.
  static func normalized(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return text }
    var bytes: [UInt8] = []
    var afterCarriageReturn = false
    for byte in text.utf8 {
      if byte == 0x0D || (byte == 0x0A && !afterCarriageReturn) { bytes += [0x0D, 0x0A] }
      if byte != 0x0D, byte != 0x0A { bytes.append(byte) }
      afterCarriageReturn = byte == 0x0D
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Charset {
  /// Text as forms are written: what the charset lacks becomes `&#N;`. UTF-8 where it cannot be written.
  fileprivate func written(_ text: String) -> [UInt8] {
    encode(text, substitute: .reference) ?? Array(text.utf8)
  }
}

extension FormEntry {
  /// Where files cannot stand, their names do.
  fileprivate var text: String {
    switch value {
    case .text(let text): text
    case .file(let name, _, _): name
    }
  }
}
