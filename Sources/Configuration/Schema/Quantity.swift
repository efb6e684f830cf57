/// Whole numbers with a unit behind them, such as `64KiB` or `10s`.
enum Quantity {
  /// In bytes.
  static let sizes: [(unit: String, factor: Int)] = [
    ("B", 1), ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40),
    ("kB", 1_000), ("KB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("TB", 1_000_000_000_000),
  ]
  /// In milliseconds.
  static let durations: [(unit: String, factor: Int)] = [
    ("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
  ]

  /// nil when the text is not a number and a unit, with at most one space between, or does not fit.
  static func parse(_ text: String, units: [(unit: String, factor: Int)]) -> Int? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    var unit = text[digits.endIndex...]
    if unit.first == " " { unit = unit.dropFirst() }
    guard let number = Int(digits), let factor = units.first(where: { $0.unit == unit })?.factor else { return nil }
    let (product, overflow) = number.multipliedReportingOverflow(by: factor)
    return overflow ? nil : product
  }
}
