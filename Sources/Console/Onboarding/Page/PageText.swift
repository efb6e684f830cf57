/// Words of the page as HTML: escaped, filled in, and with their light markup (`OnboardingText`).
struct PageText {
  let language: OnboardingLanguage
  private let words: [OnboardingText: String]

  init(_ language: OnboardingLanguage) {
    self.language = language
    words = language.words
  }

  /// - Parameter values: what stands for `{name}`; escaped here.
  func callAsFunction(_ text: OnboardingText, _ values: [String: String] = [:]) -> String {
    var html = Self.marked(Self.marked(Self.escaped(words[text] ?? ""), "*", "b"), "`", "code")
    for (name, value) in values { html = html.replacing("{\(name)}", with: Self.escaped(value)) }
    return html
  }

  static func escaped(_ text: String) -> String { ConfigurationProfile.escaped(text) }

  /// The same for text of several lines.
  static func lines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { escaped(String($0)) }.joined(separator: "\n")
  }

  /// Puts every second piece between marks into an element.
  private static func marked(_ text: String, _ mark: Character, _ element: String) -> String {
    text.split(separator: mark, omittingEmptySubsequences: false).enumerated().map { index, piece in
      index % 2 == 1 ? "<\(element)>\(piece)</\(element)>" : String(piece)
    }.joined()
  }
}
