import Database
import Glibc
import Records

/// The history of exchanges that a command line names.
enum HistorySource {
  /// - Parameter place: a state directory, or a file of one that was kept elsewhere.
  static func reader(_ place: String) throws(CommandFault) -> ExchangeReader {
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

  /// - Parameter path: of the file; empty where it is open already.
  static func fault(_ fault: DatabaseFault, _ path: String = "") -> CommandFault {
    switch fault.kind {
    case .busy: .failed(.unavailable, "cannot read the history: \(fault)")
    case .cannotOpen where !path.isEmpty && access(path, R_OK) != 0 && errno == EACCES:
      .failed(.noPermission, "cannot read the history: \(fault)")
    default: .failed(.unreadable, "cannot read the history: \(fault)")
    }
  }
}
