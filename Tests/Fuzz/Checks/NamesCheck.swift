import Names

/// Hosts, addresses, ports, URLs and patterns. Two lines: a pattern and a name, each read as everything that it may be.
enum NamesCheck {
  @Sendable static func run(_ bytes: [UInt8]) throws(Complaint) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    for line in lines {
      try checkHost(line)
      try checkAddress(line)
      try checkAuthority(line)
      try checkURL(line)
    }
    guard let pattern = lines.first, let name = lines.last else { return }
    try checkPattern(pattern, name)
  }

  private static func checkHost(_ text: String) throws(Complaint) {
    guard let host = try? Host(text) else { return }
    let isNormal = host.text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !(0x41...0x5A).contains($0) }
    try claim(isNormal && (1...253).contains(host.text.utf8.count), "\(text) became \(host.text)")
    try claim((try? Host(host.text)) == host, "\(host.text) is not its own normal form")
    try claim((try? Host(host.bracketed)) == host, "\(host.bracketed) is not \(host.text)")
    try claim(!host.text.utf8.contains { "/@?#[]%\\".utf8.contains($0) }, "\(host.text) ends a host in a URL")
    try claim(host.address.map { $0.description == host.text } ?? true, "the address of \(host.text)")
    try claim(host.labels.allSatisfy { !$0.isEmpty }, "an empty label in \(host.text)")
    _ = PublicSuffixes.isPublicSuffix(host.text)
  }

  private static func checkAddress(_ text: String) throws(Complaint) {
    _ = PublicSuffixes.isPublicSuffix(text)
    if let address = IPAddress(text) {
      try claim(IPAddress(address.description) == address, "\(address) is not its own normal form")
      try claim(IPAddress(bytes: address.bytes) == address, "the bytes of \(address)")
      try claim((try? Host(text))?.address == address, "\(text) is an address but no host")
    }
    if let range = CIDR(text) {
      try claim(CIDR(range.description) == range, "\(range) is not its own normal form")
      try claim(range.contains(range.address), "\(range) lacks its own address")
    }
  }

  private static func checkAuthority(_ text: String) throws(Complaint) {
    guard let pair = try? HostPort(authority: text, defaultPort: 443) else { return }
    try claim((try? HostPort(authority: "\(pair)", defaultPort: nil)) == pair, "\(text) became \(pair)")
    try claim(pair.port > 0, "port 0")
  }

  private static func checkURL(_ text: String) throws(Complaint) {
    if let origin = try? WebOrigin(text) {
      try claim((try? WebOrigin("\(origin)")) == origin, "\(text) became \(origin)")
    }
    guard let url = try? TargetURL(text) else { return }
    let again = try? TargetURL("\(url)")
    try claim(again?.origin == url.origin && again?.pathAndQuery == url.pathAndQuery, "\(text) became \(url)")
    try claim(url.pathAndQuery.utf8.first == UInt8(ascii: "/"), "a path of \(url.pathAndQuery)")
    try claim(url.pathAndQuery.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }, "a blank in \(url)")
  }

  private static func checkPattern(_ text: String, _ name: String) throws(Complaint) {
    guard let pattern = try? HostPattern(text) else { return }
    try claim((try? HostPattern(pattern.text)) == pattern, "\(pattern.text) is not itself")
    guard let target = try? HostPort(authority: name, defaultPort: 443) else { return }
    let table = HostTable([(pattern: pattern, value: 1)])
    let matches = pattern.matches(host: target.host, port: target.port)
    try claim(
      matches == (table.match(host: target.host, port: target.port) != nil), "\(text) and \(target) in a table")
  }
}
