/// What a piece of text is, for those who read it at a terminal.
enum Paint: Sendable, Hashable {
  case plain
  /// A headline.
  case bold
  /// Of less interest than what is around it.
  case dim
  case good, caution, bad

  /// The parameter of SGR (ECMA-48, 8.3.117); nil: none.
  var code: String? {
    switch self {
    case .plain: nil
    case .bold: "1"
    case .dim: "2"
    case .good: "32"
    case .caution: "33"
    case .bad: "31"
    }
  }
}

/// Text that is painted as a whole.
struct PaintedText: Sendable, Hashable {
  var text: String
  var paint = Paint.plain

  init(_ text: String, _ paint: Paint = .plain) {
    self.text = text
    self.paint = paint
  }
}
