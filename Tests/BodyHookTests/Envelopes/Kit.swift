import HTTP

@testable import BodyHook

/// Stands for SHA-256: the machines do not care.
func sum(_ bytes: [UInt8]) -> [UInt8] {
  var sum: UInt64 = 14_695_981_039_346_656_037
  for byte in bytes { sum = (sum ^ UInt64(byte)) &* 1_099_511_628_211 }
  return (0..<32).map { UInt8(truncatingIfNeeded: sum >> UInt64($0 % 8 * 8)) }
}

func base64URL(_ bytes: [UInt8]) -> [UInt8] {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  var text: [UInt8] = []
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let piece = bytes[start..<min(start + 3, bytes.count)]
    let bits = piece.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - piece.count))
    for digit in 0...piece.count { text.append(alphabet[bits >> (18 - 6 * digit) & 63]) }
  }
  return text
}

func metaText(_ body: [UInt8], method: String = "POST", more: String = "") -> [UInt8] {
  let digits = sum(body).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  return base64URL(Array("{\"v\":1,\"m\":\"\(method)\",\"l\":\(body.count),\"d\":\"\(digits)\"\(more)}".utf8))
}

func partFields(_ body: [UInt8], _ identifier: String, _ index: Int, of count: Int, size: Int) -> HookFields {
  var fields = HookFields()
  let part = Array(body[min(index * size, body.count)..<min((index + 1) * size, body.count)])
  fields.identifier = Array(identifier.utf8)[...]
  fields.number = Array("\(index)/\(count)".utf8)[...]
  fields.size = Array("\(part.count)".utf8)[...]
  fields.data = base64URL(part)[...]
  if index == 0 { fields.meta = metaText(body)[...] }
  return fields
}

func requestHead(_ fields: [(String, String)], _ method: HTTPMethod = .post) -> RequestHead {
  var list = HeaderList()
  for (name, value) in fields { list.append(name: name, value: value) }
  return RequestHead(method: method, target: "/", fields: list)
}
