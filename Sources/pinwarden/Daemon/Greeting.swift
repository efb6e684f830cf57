import Configuration
import Console
import Names
import Proxy
import TLS

/// What a person at a terminal needs to begin with.
struct Greeting {
  let source: AuthoritySource
  /// The configuration file of the command line.
  let file: String?
  let listening: [ProxyServer.Listening]
  let settings: [ListenerSettings]
  /// Where the console is, and the file with its token, unless that stands in the configuration.
  var console: (address: String, tokenFile: String?)?
  /// The URL of the site's own listener; nil: there is none.
  var entrance: String?

  var text: String {
    var table = TextTable()
    for listener in listening { table.add("proxy", listener.address) }
    if let console {
      table.add("console", "http://\(Self.reachable(console.address))/")
      table.add("token", console.tokenFile ?? "as the configuration says")
    }
    table.add("CA", source.file ?? "as the configuration says")
    table.add("SHA-256", PlainText.colons(source.deviceCertificate.fingerprint))
    table.add(
      "devices", entrance.map { "open \($0), or scan" } ?? "set the proxy, then open http://pinwarden.internal/")
    if let command { table.add("try", command) }
    let code = entrance.flatMap { QRCode($0) }.map { $0.terminalText(margin: "  ") + "\n" } ?? ""
    return "\n" + table.text(margin: "  ", style: .unwrapped) + "\n" + code
  }

  /// Works as pasted into a shell on this machine.
  private var command: String? {
    guard let proxy = zip(listening, settings).first(where: { $1.mode == .explicit && !$0.address.hasPrefix("unix:") })
    else { return nil }
    let address = Self.reachable(proxy.0.address)
    return "curl -x http://\(address) --cacert \(certificate) https://example.com/"
  }

  private var certificate: String {
    if let file = source.file { return PlainText.shellWord(file) }
    let option = file.map { " --config \(PlainText.shellWord($0))" } ?? ""
    return "<(pinwarden authority export\(option))"
  }

  /// A listener on all addresses is on loopback too.
  static func reachable(_ address: String) -> String {
    for (every, loopback) in [("0.0.0.0:", "127.0.0.1:"), ("[::]:", "[::1]:")] where address.hasPrefix(every) {
      return loopback + address.dropFirst(every.count)
    }
    return address
  }
}
