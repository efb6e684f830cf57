/// `host:port` cut in two, as the history keeps it so that both can be looked for.
struct EndpointText {
  /// Without brackets.
  let host: Substring
  let port: Int?

  /// `a.test`, `a.test:443`, `[::1]:443`, `::1`, `unix:/path`. What does not end in a port is all host.
  init(_ text: Substring) {
    let bytes = text.utf8
    var head = text
    var tail: Substring?
    if bytes.first == UInt8(ascii: "["), let bracket = bytes.firstIndex(of: UInt8(ascii: "]")) {
      head = text[bytes.index(after: bytes.startIndex)..<bracket]
      tail = text[bytes.index(after: bracket)...]
      tail = tail?.utf8.first == UInt8(ascii: ":") ? tail?.dropFirst() : nil
    } else if let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
      bytes[bytes.index(after: colon)...].allSatisfy(\.isDigit)
    {
      head = text[..<colon]
      tail = text[bytes.index(after: colon)...]
    }
    host = head
    port = tail.flatMap { Int($0) }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}

extension RecordURL {
  /// Host and port of the URL, the scheme's port where it names none. An empty host: it was no URL.
  var endpoint: EndpointText {
    guard scheme.isEmpty else { return EndpointText(authority[...], scheme: scheme[...]) }
    let text = String(decoding: path.prefix(1_200), as: UTF8.self)
    guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return EndpointText("") }
    let rest = text[colon...].dropFirst(3)
    return EndpointText(rest.prefix { !"/?#".contains($0) }, scheme: text[..<colon])
  }
}

extension EndpointText {
  fileprivate init(_ authority: Substring, scheme: Substring) {
    let written = EndpointText(authority)
    let standard = ["https": 443, "wss": 443, "http": 80, "ws": 80][scheme.lowercased()]
    self.init(host: written.host, port: written.port ?? standard)
  }

  private init(host: Substring, port: Int?) {
    self.host = host
    self.port = port
  }
}
