import Authority
import Configuration
import Dispatch
import Glibc
import Policy
import Proxy
import Records

signal(SIGPIPE, SIG_IGN)
struct Site: InternalSite {
  func answer(path: String, proxy: String) -> InternalAnswer {
    InternalAnswer(status: 404, contentType: "text/plain", body: [])
  }
}
let file = CommandLine.arguments.last
let result = ConfigurationLoader.load(file: file, overrides: CommandLineOverrides(), environment: [:])
guard let configuration = result.configuration else {
  for finding in result.findings { print(finding.text) }
  exit(78)
}
let log = Log(format: .json, level: LogLevel.allCases.first { $0.name == configuration.log.level.rawValue } ?? .info)
let authority: CertificateAuthority
if let c = configuration.authority.certificate, let k = configuration.authority.key {
  authority = try CertificateAuthority(certificate: c, key: k, issuers: configuration.authority.chain)
} else {
  authority = try CertificateAuthority.loadOrMake(directory: configuration.stateDirectory).authority
}
let server = try ProxyServer(configuration: configuration, authority: authority, site: Site(), log: log, loopCount: 2)
for l in try server.start() {
  log.write(LogEvent(.info, "listening", [("listener", .text(l.listener)), ("address", .text(l.address))]))
}
signal(SIGTERM, SIG_IGN)
signal(SIGHUP, SIG_IGN)
let term = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .main)
term.setEventHandler { Task { await server.drain(); log.flush(milliseconds: 500); exit(0) } }
term.resume()
let hup = DispatchSource.makeSignalSource(signal: SIGHUP, queue: .main)
hup.setEventHandler {
  let result = ConfigurationLoader.load(file: file, overrides: CommandLineOverrides(), environment: [:])
  guard let next = result.configuration else {
    log.write(LogEvent(.error, "reload", [("result", .text("rejected")), ("reason", .text(result.findings.map(\.text).joined(separator: "; ")))]))
    return
  }
  try? server.reload(next, authority: authority)
  log.write(LogEvent(.info, "reload", [("result", .text("applied"))]))
}
hup.resume()
dispatchMain()
