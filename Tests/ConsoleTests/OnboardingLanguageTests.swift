import Records
import Testing

@testable import Console

@Suite struct OnboardingLanguageTests {
  @Test(arguments: OnboardingLanguage.allCases) func everyLanguageHasAllWords(language: OnboardingLanguage) {
    for text in OnboardingText.allCases {
      let words = language.words[text] ?? ""
      #expect(!words.isEmpty, "\(text)")
      let english = OnboardingLanguage.english.words[text] ?? ""
      #expect(Self.blanks(words) == Self.blanks(english), "\(text): what is filled in")
      for mark: Character in ["*", "`"] {
        #expect(words.count { $0 == mark } % 2 == 0, "\(text): \(mark)")
        #expect(words.count { $0 == mark } == english.count { $0 == mark }, "\(text): \(mark)")
      }
    }
    #expect(language.words.count == OnboardingText.allCases.count)
  }

  private static func blanks(_ words: String) -> [String] {
    words.matches(of: /\{[a-z]+\}/).map { String($0.0) }.sorted()
  }

  /// Nothing was left in another language.
  @Test func languagesDiffer() {
    let same = OnboardingText.allCases.filter {
      OnboardingLanguage.english.words[$0] == OnboardingLanguage.chinese.words[$0]
    }
    #expect(same == [.android, .mac, .windows, .linux, .firefox])
  }

  @Test(arguments: [
    ("", OnboardingLanguage.english), ("de", .english), ("zh", .chinese), ("zh-Hant-TW,en;q=0.8", .chinese),
    ("es-MX, es;q=0.9", .spanish), ("de, es;q=0.5, zh;q=0.6", .chinese), ("en, zh", .english), ("ZH-cn", .chinese),
    ("es;q=0", .english), ("es;q=x", .spanish), ("est", .english), (";;,,=,q", .english), ("*", .english),
  ])
  func theReadersLanguageIsTaken(value: String, language: OnboardingLanguage) {
    #expect(OnboardingLanguage(accepting: value) == language)
  }

  @Test func theSwitchBeatsTheBrowser() {
    var request = Kit.visit("/?lang=zh")
    request.languages = "es"
    #expect(OnboardingPage.language(request) == .chinese)
    request.path = "/?lang=xx"
    #expect(OnboardingPage.language(request) == .spanish)
  }
}
