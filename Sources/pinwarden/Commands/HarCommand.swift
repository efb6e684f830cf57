import Configuration
import Database
import Names
import Records

extension Command {
  static let har = Command(
    "har", "recorded exchanges as HAR 1.2, for the network panels of browsers",
    options: [.config, .stateDirectory, .store, .since, .host, .output],
    details: """
      Reads the history beside a running daemon or after it. Exchanges that were denied or failed are there too, with the reason.

      TIME is a date (2026-03-01), a time (2026-03-01T12:00:00Z), both in UTC where no offset says otherwise, or how long ago \
      (30m, 2h, 7d).
      """
  ) { arguments throws(CommandFault) in
    guard let file = arguments.value(.output) else {
      throw .usage("-o FILE is missing: the file to write, or - for standard output")
    }
    let query = try query(arguments)
    let reader = try reader(arguments)
    let draft = try DraftFile(file)
    let count = try write(reader, query, to: draft)
    try draft.publish()
    if file != "-" { try Output.write("\(PlainText.oneLine(file)): \(count) exchange\(count == 1 ? "" : "s")\n") }
    return .success
  }

  private static func query(_ arguments: Arguments) throws(CommandFault) -> ExchangeQuery {
    var query = ExchangeQuery()
    if let host = arguments.value(.host) {
      guard (try? Host(host)) != nil || (try? HostPort(authority: host, defaultPort: nil)) != nil else {
        throw .usage("--host is `\(host)`, but must be a host or host:port, such as a.test")
      }
      query.host = host
    }
    if let text = arguments.value(.since) {
      guard let moment = SinceTime.milliseconds(text, now: Log.now) else {
        throw .usage("--since is `\(text)`, but must be a date, a time or how long ago, such as 2026-03-01 or 2h")
      }
      query.since = moment
    }
    return query
  }

  private static func reader(_ arguments: Arguments) throws(CommandFault) -> ExchangeReader {
    if let store = arguments.value(.store) { return try HistorySource.reader(store) }
    return try HistorySource.reader(try stateDirectory(arguments))
  }

  private static func stateDirectory(_ arguments: Arguments) throws(CommandFault) -> String {
    try LoadedConfiguration.load(
      arguments, overrides: CommandLineOverrides(stateDirectory: arguments.value(.stateDirectory))
    ).stateDirectory
  }

  private static func write(
    _ reader: ExchangeReader, _ query: ExchangeQuery, to draft: borrowing DraftFile
  ) throws(CommandFault) -> Int {
    do {
      return try HARWriter(creatorVersion: Versions().program).write(reader, query) { try draft.write($0) }
    } catch let fault as CommandFault {
      throw fault
    } catch let fault as DatabaseFault {
      throw HistorySource.fault(fault)
    } catch {
      throw .failed(.internalFault, "\(error)")
    }
  }
}

extension Option {
  static let store = Option.value(
    "store", "DIR", "the state directory of the daemon that recorded, in place of the configuration's")
  fileprivate static let since = Option.value("since", "TIME", "only exchanges that began then or later")
  fileprivate static let host = Option.value("host", "HOST", "only exchanges with this host, or host:port")
  fileprivate static let output = Option.value("output", letter: "o", "FILE", "the file to write; - is standard output")
}
