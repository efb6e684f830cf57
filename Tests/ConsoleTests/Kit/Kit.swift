import Bytes
import EventLoop
import Foundation
import HTTP
import Names
import Policy
import Records
import TLS

@testable import Console

/// What the tests of the console share.
enum Kit {
  static let token = "test-token-0123456789"
  /// 2026-03-01.
  static let now: Int64 = 1_772_323_200

  static let credentials = ConsoleCredentials(token: token, sessionKey: Array("session key".utf8)) {
    MessageAuthentication.sha256(key: $0, $1)
  }

  /// The page as it is shipped.
  static let page = PageFiles(folders: [
    URL(filePath: #filePath).appending(path: "../../../../Sources/Console/Page").standardized.path()
  ])

  static let silentLog = Log(format: .json, level: .error, descriptor: -1)

  static let authority = PublicAuthority(
    name: "Lab <1> & Co CA", der: [0x30, 0x03, 0x02, 0x01, 0x01],
    pem: "-----BEGIN CERTIFICATE-----\nMAMCAQE=\n-----END CERTIFICATE-----\n", fingerprint: Array(0..<32),
    hash: "0a1b2c3d")

  /// A request of a device for the site.
  static func visit(_ path: String, _ way: InternalRequest.Way = .proxy) -> InternalRequest {
    var request = InternalRequest(path: path, proxy: "192.0.2.1:8080")
    request.way = way
    request.client = "192.0.2.7"
    return request
  }

  static func address(_ text: String) -> SocketAddress { SocketAddress.parse(text) ?? SocketAddress(unixPath: text) }

  /// A request as the console sees it, on 127.0.0.1:8081 from this machine.
  static func request(
    _ method: HTTPMethod = .get, _ target: String, _ fields: [(String, String)] = [], body: String = "",
    host: String? = "127.0.0.1:8081", client: String = "127.0.0.1:5000", local: String = "127.0.0.1:8081"
  ) -> ConsoleRequest? {
    var list = HeaderList()
    if let host { list.append(name: "Host", value: host) }
    for (name, value) in fields { list.append(name: name, value: value) }
    var request = ConsoleRequest(
      RequestHead(method: method, target: target, fields: list),
      framing: body.isEmpty ? .none : .length(UInt64(body.utf8.count)), client: address(client), local: address(local))
    request?.body = Array(body.utf8)
    return request
  }

  static let bearer = ("Authorization", "Bearer \(token)")

  static func moment(_ seconds: Int64 = 0) -> Gate.Moment {
    Gate.Moment(monotonic: UInt64(1_000 + seconds) * 1_000_000_000, seconds: now + seconds)
  }

  /// An exchange as the history has it.
  static func stored(
    _ identifier: UInt64, url: String = "https://a.test/", request: CapturedMessage? = nil,
    response: CapturedMessage? = nil
  ) -> StoredExchange {
    let out = ByteQueue()
    RecordText(format: .json).append(record(identifier, url: url), to: out)
    return StoredExchange(
      identifier: identifier, record: Array(out.bytes.dropLast()), request: request, response: response)
  }

  static func record(_ identifier: UInt64, url: String = "https://a.test/") -> ExchangeRecord {
    ExchangeRecord(
      started: 0, ended: 1, identifier: identifier, lane: "default", client: "127.0.0.1:9", context: .app,
      clientProtocol: "h2", method: "GET", url: RecordURL(text: url), status: 200, action: .intercept,
      decidedBy: .default, rule: nil, ats: ATSVerdict(outcome: .pass), os: "18.4")
  }
}

extension Answer {
  /// The body of an answer that is written at once.
  var text: String {
    guard case .bytes(let bytes) = body else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }

  subscript(name: String) -> String? { head(at: Kit.now).fields.first(named: name) }
}
