import Foundation
import TLS

/// What the script in a page sends, for tests that play it.
enum Sent {
  static func base64URL(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// The value of x-pb-m.
  static func meta(_ body: [UInt8], method: String = "POST", more: String = "") -> String {
    let digest = Digest.sha256(body).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    return base64URL(
      Array("{\"v\":1,\"m\":\"\(method)\",\"l\":\(body.count),\"d\":\"\(digest)\"\(more)}".utf8))
  }

  /// The fields of a request that carries its body itself.
  static func inline(_ body: String, method: String = "POST", more: String = "") -> [(String, String)] {
    let bytes = Array(body.utf8)
    return [("x-pb-m", meta(bytes, method: method, more: more)), ("x-pb-d", base64URL(bytes))]
  }

  /// The fields of the uploads that carry a body ahead.
  static func parts(
    _ body: [UInt8], _ identifier: String, size: Int = 24 << 10, method: String = "POST", more: String = ""
  ) -> [[(String, String)]] {
    let count = max(1, (body.count + size - 1) / size)
    return (0..<count).map { index in
      let part = Array(body[(index * size)..<min(body.count, (index + 1) * size)])
      let meta = index == 0 ? [("x-pb-m", meta(body, method: method, more: more))] : []
      return [
        ("x-pb-id", identifier), ("x-pb-n", "\(index)/\(count)"), ("x-pb-s", "\(part.count)"),
        ("x-pb-d", base64URL(part)),
      ] + meta
    }
  }

  /// A list of a form's entries.
  static func entries(_ entries: [[String]]) -> [UInt8] {
    entries.flatMap { strings in
      [UInt8(ascii: strings.count == 2 ? "t" : "f")]
        + strings.flatMap { text in
          let bytes = Array(text.utf8)
          return (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (24 - 8 * $0)) } + bytes
        }
    }
  }
}
