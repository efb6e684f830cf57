import Foundation
import Glibc

/// What stands behind the standard streams.
enum DiagnosisTerminal {
  enum Stream { case output, error }

  static func isTerminal(_ stream: Stream) -> Bool {
    isatty(stream == .output ? STDOUT_FILENO : STDERR_FILENO) == 1
  }

  /// Colours are for terminals, unless `NO_COLOR` is set to anything but an empty text.
  static func hasColours(_ stream: Stream) -> Bool {
    isTerminal(stream) && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
  }
}
