import Authority
import Bytes
import Configuration
import Foundation
import Names
import Proxy
import Records
import Synchronization

/// What the daemon does when it is told to, one order after the other.
extension Daemon {
  /// Loads everything again. If anything is wrong with it, all stays as it was.
  func reload() async throws(ControlFault) {
    systemd.reloading()
    defer { systemd.ready() }
    do throws(ControlFault) {
      try await applyFile()
      log.write(LogEvent(.info, "reload", [("result", .text("applied"))]))
    } catch {
      log.write(LogEvent(.error, "reload", [("result", .text("rejected")), ("reason", .text(error.reason))]))
      throw error
    }
  }

  private func applyFile() async throws(ControlFault) {
    let result = ConfigurationLoader.load(
      file: file, overrides: overrides, environment: ProcessInfo.processInfo.environment)
    let report = FindingsReport(result.findings)
    Output.complain(report.text(.standardErrorByLine))
    guard let configuration = result.configuration else { throw ControlFault(.rejected, report.errors) }
    do throws(CommandFault) {
      let source = try AuthoritySource.load(configuration)
      let move = try console.prepare(configuration)
      do throws(CommandFault) {
        try await apply(configuration, source, move, try onboarding.prepare(configuration))
      } catch {
        console.giveUp(move)
        throw error
      }
    } catch {
      throw ControlFault(.rejected, error.reason)
    }
  }

  private func apply(
    _ configuration: Configuration, _ source: AuthoritySource, _ move: ConsoleKeeper.Move,
    _ entrance: OnboardingKeeper.Move
  ) async throws(CommandFault) {
    let before = server.listening
    do {
      try await server.reload(configuration, authority: source.authority)
    } catch {
      onboarding.giveUp(entrance)
      throw .failed(.unavailable, "\(error)")
    }
    console.complete(move)
    control.use(configuration)
    history.use(HistorySettings(configuration))
    authority.withLock { $0 = source }
    site.use(Self.site(source, configuration, devices, onboarding.entrance(after: entrance)))
    onboarding.complete(entrance, configuration, site: site)
    log.use(level: configuration.log.recordLevel)
    self.report(source)
    announce(server.listening.filter { new in !before.contains { $0.address == new.address } })
    announce(move)
    announce(entrance)
  }

  // MARK: the whitelist

  /// Keeps the origins in the state directory, and has every loop serve them.
  func replaceWhitelist(_ origins: [WebOrigin]) async throws(ControlFault) {
    let configuration = control.configuration
    let folder = StateFolder(directory: configuration.stateDirectory)
    let path = folder.path(StoredWhitelist.fileName)
    let before: [UInt8]?
    do throws(AuthorityFault) {
      try folder.makeDirectory()
      before = try folder.read(path)?.bytes
      try folder.replace(path, with: Self.document(origins), mode: 0o600)
    } catch {
      throw ControlFault(.unavailable, "the whitelist cannot be kept: \(error)")
    }
    do {
      let next = configuration.replacing(whitelist: origins)
      try await server.reload(next, authority: authority.withLock { $0.authority })
      control.use(next)
    } catch {
      // What is kept must be what is in force.
      if let before { try? folder.replace(path, with: before, mode: 0o600) } else { try? folder.remove(path) }
      throw ControlFault(.rejected, "\(error)")
    }
  }

  private static func document(_ origins: [WebOrigin]) -> [UInt8] {
    let out = ByteQueue()
    var json = JSONText(into: out)
    json.beginArray()
    for origin in origins { json.string(nil, "\(origin)") }
    json.endArray()
    out.append(UInt8(ascii: "\n"))
    return Array(out.bytes)
  }
}
