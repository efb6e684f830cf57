/// How a command ends (contract, section 1; the numbers are those of `sysexits.h`).
enum ExitCode: Int32, Sendable {
  case success = 0
  /// The command did its work, and the answer is no.
  case negative = 1
  /// `diagnose`: some origin passes under no dictionary at all.
  case hopeless = 2
  case usage = 64
  /// A file that was named cannot be read or understood.
  case unreadable = 65
  /// Something is not to be had: an address in use, a feature of a later version.
  case unavailable = 69
  case internalFault = 70
  case cannotCreate = 73
  case noPermission = 77
  case configuration = 78
}
