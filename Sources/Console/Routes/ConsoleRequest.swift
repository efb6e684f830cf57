import EventLoop
import HTTP
import Names

/// A request to the console: its head as it was understood, and its body once that is there. A plain value.
struct ConsoleRequest: Sendable {
  let method: HTTPMethod
  /// As sent, from the slash to the question mark.
  let path: Substring
  /// As sent, behind the question mark; nil: there is none.
  let query: Substring?
  /// Who it is addressed to: Host, or the authority of an absolute target. Empty: not said.
  let authority: String
  let fields: HeaderList
  let hasBody: Bool
  let client: SocketAddress
  /// The console's end of the connection.
  let local: SocketAddress?
  var body: [UInt8] = []

  /// nil: the target is none that a server can be asked for, such as that of CONNECT.
  init?(_ head: RequestHead, framing: BodyFraming, client: SocketAddress, local: SocketAddress?) {
    guard let target = try? head.requestTarget() else { return nil }
    let text: String
    switch target {
    case .origin(let path):
      text = String(decoding: path, as: UTF8.self)
      authority = head.fields.first(.host) ?? ""
    case .absolute(let absolute):
      guard absolute.scheme == "http" else { return nil }
      text = String(decoding: absolute.pathAndQuery, as: UTF8.self)
      authority = absolute.authority
    case .authority, .asterisk: return nil
    }
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = parts.first ?? ""
    query = parts.count > 1 ? parts[1] : nil
    method = head.method
    fields = head.fields
    hasBody = framing != .none && framing != .length(0)
    self.client = client
    self.local = local
  }

  /// The token of `Authorization: Bearer` (RFC 6750, section 2.1); nil: none is shown.
  var bearerToken: Substring? {
    guard let value = fields.first(.authorization) else { return nil }
    let parts = value.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    return parts[1]
  }

  /// The media type of the body in lower case, without parameters.
  var mediaType: String {
    let value = fields.first(.contentType) ?? ""
    return String(value.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }).lowercased()
  }
}
