import Configuration
import Database
import Glibc
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

  /// The history of a state directory, or a file of one that was kept elsewhere.
  private static func reader(_ arguments: Arguments) throws(CommandFault) -> ExchangeReader {
    let place: String
    if let store = arguments.value(.store) { place = store } else { place = try stateDirectory(arguments) }
    var facts = stat()
    guard stat(place, &facts) == 0 else {
      throw .failed(.unreadable, "cannot read \(place): \(String(cString: strerror(errno)))")
    }
    let path = facts.st_mode & S_IFMT == S_IFDIR ? HistorySettings.path(in: place) : place
    guard access(path, F_OK) == 0 else {
      throw .failed(.unreadable, "there is no history of exchanges in \(place) (no file \(path))")
    }
    let reader = ExchangeReader(path: path)
    do throws(DatabaseFault) {
      try reader.check()
    } catch {
      throw fault(error, path)
    }
    return reader
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
      throw Self.fault(fault, "")
    } catch {
      throw .failed(.internalFault, "\(error)")
    }
  }

  private static func fault(_ fault: DatabaseFault, _ path: String) -> CommandFault {
    switch fault.kind {
    case .busy: .failed(.unavailable, "cannot read the history: \(fault)")
    case .cannotOpen where !path.isEmpty && access(path, R_OK) != 0 && errno == EACCES:
      .failed(.noPermission, "cannot read the history: \(fault)")
    default: .failed(.unreadable, "cannot read the history: \(fault)")
    }
  }
}

extension Option {
  fileprivate static let store = Option.value(
    "store", "DIR", "the state directory of the daemon that recorded, in place of the configuration's")
  fileprivate static let since = Option.value("since", "TIME", "only exchanges that began then or later")
  fileprivate static let host = Option.value("host", "HOST", "only exchanges with this host, or host:port")
  fileprivate static let output = Option.value("output", letter: "o", "FILE", "the file to write; - is standard output")
}
