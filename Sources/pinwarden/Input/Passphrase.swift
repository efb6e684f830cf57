import Foundation

/// Passphrases come from the environment or a file, never from an argument, which everybody on the machine can read.
enum Passphrase {
  /// nil when neither option is given.
  static func read(_ arguments: Arguments) throws(CommandFault) -> [UInt8]? {
    switch (arguments.value(.passphraseEnvironment), arguments.value(.passphraseFile)) {
    case (nil, nil): return nil
    case (_?, _?): throw .usage("give --passphrase-env or --passphrase-file, not both")
    case (let name?, nil):
      guard let value = ProcessInfo.processInfo.environment[name] else {
        throw .usage("--passphrase-env: there is no environment variable \(name)")
      }
      return Array(value.utf8)
    case (nil, let file?):
      let line = try InputFile.read(file, limit: 1 << 20).prefix { $0 != UInt8(ascii: "\n") }
      return Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
    }
  }
}
