import Foundation

/// A captured body as HAR can hold it: as text where it is text, in base64 elsewhere, so that it comes out byte for byte.
struct HARBody {
  enum Form: Equatable {
    case text([UInt8])
    case base64(String)
  }

  let form: Form
  /// What a reader should know of it; nil: it is all there, as it is.
  let comment: String?

  /// - Parameter byteCount: of the whole body.
  init(_ message: CapturedMessage, byteCount: Int) {
    let codings = message.values("content-encoding").filter { $0.lowercased() != "identity" }
    form = Self.form(message, isCoded: !codings.isEmpty)
    var remarks: [String] = []
    if message.isTruncated { remarks.append("the first \(message.body.count) of \(byteCount) bytes") }
    if !codings.isEmpty { remarks.append("with its content coding, \(codings.joined(separator: ", "))") }
    comment = remarks.isEmpty ? nil : remarks.joined(separator: "; ")
  }

  private static func form(_ message: CapturedMessage, isCoded: Bool) -> Form {
    let text = message.isTruncated ? withoutCutCharacter(message.body) : message.body[...]
    let isText = !isCoded && message.mayBeUTF8 && !text.contains(0) && String(validating: text, as: UTF8.self) != nil
    return isText ? .text(Array(text)) : .base64(Data(message.body).base64EncodedString())
  }

  /// Without the beginning of a character at the end, at most three bytes.
  private static func withoutCutCharacter(_ body: [UInt8]) -> ArraySlice<UInt8> {
    for length in 1...3 where body.count >= length {
      let byte = body[body.count - length]
      if byte & 0xC0 == 0x80 { continue }
      let wanted = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return wanted > length ? body.dropLast(length) : body[...]
    }
    return body[...]
  }

  /// Members `text`, `encoding` and `comment`.
  func write(to json: inout JSONText) {
    switch form {
    case .text(let bytes): bytes.withUnsafeBytes { json.text("text", $0) }
    case .base64(let text):
      json.string("text", text)
      json.token("encoding", "base64")
    }
    if let comment { json.string("comment", comment) }
  }
}

extension CapturedMessage {
  /// The values of a field, whatever the case of its name, in order.
  func values(_ name: String) -> [String] {
    fields.filter { $0.name.lowercased() == name }.map(\.value)
  }

  /// No other charset is named. Other charsets stay bytes, which readers of base64 decode by `mimeType`.
  fileprivate var mayBeUTF8: Bool {
    guard let type = values("content-type").first?.lowercased(), let charset = type.firstRange(of: "charset=") else {
      return true
    }
    let name = type[charset.upperBound...].prefix { $0 != ";" }.filter { !"\"' ".contains($0) }
    return ["utf-8", "utf8", "us-ascii"].contains(name)
  }
}
