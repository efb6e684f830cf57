import Foundation
import Glibc

/// How text is laid out and whether it is coloured: what the place allows to which it goes.
struct TextStyle: Sendable, Hashable {
  enum Colours: Sendable { case none, ansi }

  /// Columns of a terminal that text is made for when nobody says more.
  static let standardWidth = 80
  /// Longer lines are harder to read, however wide the terminal is.
  static let widest = 100
  private static let narrowest = 40

  let width: Int
  let colours: Colours

  /// For files and pipes: 80 columns, no colours.
  static let plain = TextStyle(width: standardWidth, colours: .none)

  /// Whatever is to be copied stays on its line.
  static let unwrapped = TextStyle(width: .max, colours: .none)

  init(width: Int, colours: Colours) {
    self.width = width
    self.colours = colours
  }

  /// For a terminal with so many columns. It has colours unless NO_COLOR is set to anything or TERM says that it has none.
  init(terminal columns: Int, environment: [String: String]) {
    width = columns > 0 ? min(max(columns, Self.narrowest), Self.widest) : Self.standardWidth
    let term = environment["TERM"] ?? ""
    let isUnwanted = !(environment["NO_COLOR"] ?? "").isEmpty
    colours = isUnwanted || term.isEmpty || term == "dumb" ? .none : .ansi
  }

  /// What standard output is, found out once.
  static let standardOutput = of(STDOUT_FILENO)
  /// For what programs read line by line: broken into lines for people only.
  static let standardOutputByLine = isatty(STDOUT_FILENO) == 1 ? standardOutput : unwrapped
  static let standardErrorByLine = isatty(STDERR_FILENO) == 1 ? of(STDERR_FILENO) : unwrapped

  private static func of(_ descriptor: Int32) -> TextStyle {
    guard isatty(descriptor) == 1 else { return plain }
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
    return TextStyle(
      terminal: isKnown ? Int(size.ws_col) : 0, environment: ProcessInfo.processInfo.environment)
  }

  func painted(_ text: String, _ paint: Paint) -> String {
    guard colours == .ansi, let code = paint.code, !text.isEmpty else { return text }
    return "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }

  func painted(_ text: PaintedText) -> String { painted(text.text, text.paint) }

  /// Breaks text at its spaces into lines that fit, each with a line feed. What has no spaces, such as a URL or a pin, stays whole.
  ///
  /// - Parameters:
  ///   - lead: what stands before the first line.
  ///   - indent: what stands before the others.
  func wrapped(_ text: String, lead: String = "", indent: String = "", paint: Paint = .plain) -> String {
    let room = width - max(lead.columnCount, indent.columnCount)
    let lines = text.lines(of: room)
    return lines.enumerated().reduce(into: "") { result, line in
      result += (line.offset == 0 ? lead : indent) + painted(line.element, paint) + "\n"
    }
  }
}
