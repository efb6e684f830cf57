/// The languages of the page for devices. The raw value is the language tag (BCP 47) of the page.
enum OnboardingLanguage: String, CaseIterable {
  case english = "en"
  case chinese = "zh-Hans"
  case spanish = "es"

  /// In itself, for whoever does not read the others.
  var name: String {
    switch self {
    case .english: "English"
    case .chinese: "中文"
    case .spanish: "Español"
    }
  }

  /// How URLs of the page name it.
  var code: String {
    switch self {
    case .english: "en"
    case .chinese: "zh"
    case .spanish: "es"
    }
  }

  /// The words of the page; each language has all of them.
  var words: [OnboardingText: String] {
    switch self {
    case .english: Self.englishWords
    case .chinese: Self.chineseWords
    case .spanish: Self.spanishWords
    }
  }

  init?(code: String) {
    guard let known = Self.allCases.first(where: { $0.code == code }) else { return nil }
    self = known
  }

  /// The best one for the value of Accept-Language (RFC 9110, section 12.5.4; of two that are wanted alike, the first); English for
  /// readers of none of them.
  init(accepting value: String) {
    var best: (language: OnboardingLanguage, weight: Double)?
    for range in value.split(separator: ",").prefix(32) {
      let parts = range.split(separator: ";").map { $0.filter { !$0.isWhitespace }.lowercased() }
      guard let primary = parts.first?.split(separator: "-").first, let language = Self(code: String(primary)) else {
        continue
      }
      let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
      if weight > best?.weight ?? 0 { best = (language, weight) }
    }
    self = best?.language ?? .english
  }
}
