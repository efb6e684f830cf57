import CSQLite
import Glibc

/// Why the database did not do what it was told. Sorted by what its owner can do about it.
public struct DatabaseFault: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Kind: Sendable {
    /// There is no room: on the disk, or in a limit that was set for the file.
    case full
    /// The file is damaged, or is no database at all.
    case corrupt
    /// The file is a sound database of another program, or of a later version of this one.
    case foreign
    /// Somebody else holds the lock longer than the busy timeout.
    case busy
    /// The file cannot be opened or made: no such folder, no such file, no permission.
    case cannotOpen
    /// The file or its disk takes no changes.
    case readOnly
    /// The disk, or the system below it, failed.
    case input
    /// A rule of the schema was broken.
    case constraint
    /// Anything else: a mistake in the statement, no memory.
    case other
  }

  public let kind: Kind
  /// SQLite's extended result code; 0 where the fault was found here.
  public let code: Int32
  /// One line: the file and SQLite's own words.
  public let description: String

  public init(_ kind: Kind, code: Int32 = 0, _ description: String) {
    self.kind = kind
    self.code = code
    self.description = description
  }

  /// - Parameter errno: of a call to the system about the file.
  public init(system errno: Int32, path: String) {
    let kind: Kind =
      switch errno {
      case ENOSPC, EDQUOT: .full
      case EROFS: .readOnly
      case EIO: .input
      default: .cannotOpen
      }
    self.init(kind, "\(path): \(String(cString: strerror(errno)))")
  }

  init(code: Int32, path: String, message: String) {
    self.init(Kind(code: code), code: code, "\(path): \(message)")
  }
}

extension DatabaseFault.Kind {
  /// From a result code of SQLite, plain or extended.
  init(code: Int32) {
    self =
      switch code & 0xFF {
      case SQLITE_FULL: .full
      case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
      case SQLITE_BUSY, SQLITE_LOCKED: .busy
      case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: .cannotOpen
      case SQLITE_READONLY: .readOnly
      case SQLITE_IOERR, SQLITE_PROTOCOL, SQLITE_NOLFS: .input
      case SQLITE_CONSTRAINT: .constraint
      default: .other
      }
  }
}
