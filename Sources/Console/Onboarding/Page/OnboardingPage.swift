import Records

/// The page for devices, in the reader's language. Everything on it works without scripts but the trust doctor, which the script and
/// the style sheet of the site bring; nothing comes from elsewhere.
///
/// Whatever the doctor can say stands in the page already: the script only says which of it is so, by attributes.
struct OnboardingPage {
  let site: OnboardingSite
  let request: InternalRequest
  let system: DeviceSystem
  let words: PageText

  init(_ site: OnboardingSite, _ request: InternalRequest) {
    self.site = site
    self.request = request
    system = DeviceSystem(userAgent: request.userAgent)
    words = PageText(Self.language(request))
  }

  /// The one that the address names, else the one that the browser prefers.
  static func language(_ request: InternalRequest) -> OnboardingLanguage {
    let query = request.path.split(separator: "?", maxSplits: 1).dropFirst().first.flatMap { QueryText($0) }
    return query?["lang"].flatMap { OnboardingLanguage(code: $0) } ?? OnboardingLanguage(accepting: request.languages)
  }

  var text: String {
    """
    <!DOCTYPE html>
    <html lang="\(words.language.rawValue)" data-system="\(system.rawValue)" data-verdict="idle">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
    <meta name="color-scheme" content="light dark">
    <meta name="theme-color" content="#f4f5f1" media="(prefers-color-scheme: light)">
    <meta name="theme-color" content="#101512" media="(prefers-color-scheme: dark)">
    <title>pinwarden · \(words(.title))</title>
    <link rel="icon" href="\(OnboardingPath.icon)" type="image/svg+xml">
    <link rel="stylesheet" href="\(OnboardingPath.style)">
    <script src="\(OnboardingPath.script)" defer></script>
    </head>
    <body>
    \(header)<main>
    <div class="intro">
    <h1>\(words(.title))</h1>
    <p>\(words(.lead, ["name": site.authority.name]))</p>
    </div>
    \(doctor)\(comparison)\(steps(system))\(more)\(files)\(ending)</main>
    </body>
    </html>

    """
  }

  private var header: String {
    let links = OnboardingLanguage.allCases.map { language in
      let current = language == words.language ? " aria-current=\"true\"" : ""
      return
        "<a href=\"?lang=\(language.code)\" hreflang=\"\(language.rawValue)\" lang=\"\(language.rawValue)\"\(current)>"
        + "\(language.name)</a>"
    }
    return """
      <header>
      <span class="brand"><img src="\(OnboardingPath.icon)" alt="" width="28" height="28">pinwarden</span>
      <nav aria-label="\(words(.languages))">\(links.joined())</nav>
      </header>

      """
  }

  // MARK: the rest of the page

  /// Whoever sits before a large screen wants the code for their phone; a phone is at hand already.
  private var more: String { system.isHandheld ? others + another : another + others }

  private var comparison: String {
    """
    <section class="card" aria-labelledby="compare">
    <h2 id="compare">\(words(.compare))</h2>
    <p>\(words(.compareText))</p>
    <p class="print"><code>\(site.authority.fingerprintText)</code></p>
    </section>

    """
  }

  private var others: String {
    let rest = DeviceSystem.allCases.filter { $0 != system }.map { other in
      """
      <details class="system" id="\(other.rawValue)">
      <summary>\(words(other.title))</summary>
      \(list(other))</details>

      """
    }
    return """
      <section class="card folded" aria-labelledby="others">
      <h2 id="others">\(words(.others))</h2>
      \(rest.joined())</section>

      """
  }

  private var another: String {
    let hint = site.entrance == nil ? "<p class=\"hint\">\(words(.anotherProxy))</p>\n" : ""
    return """
      <section class="card another" aria-labelledby="another">
      <img class="code" src="\(OnboardingPath.picture)" alt="\(words(.pictureText))" width="200" height="200">
      <div>
      <h2 id="another">\(words(.another))</h2>
      <p>\(words(.anotherText))</p>
      <p class="address"><code>\(PageText.escaped(site.address(for: request)))</code></p>
      \(hint)</div>
      </section>

      """
  }

  private var files: String {
    let android = OnboardingPath.android(site.authority)
    let links = [
      (OnboardingPath.profile, words(.getProfile)), (OnboardingPath.der, words(.getDER)),
      (OnboardingPath.pem, words(.getPEM)), (android, words(.getAndroid, ["file": String(android.dropFirst())])),
      (OnboardingPath.proxy, words(.getPAC)),
    ]
    return """
      <section class="card" aria-labelledby="files">
      <h2 id="files">\(words(.files))</h2>
      <ul class="files">
      \(links.map { "<li><a href=\"\($0.0)\">\($0.1)</a></li>" }.joined(separator: "\n"))
      </ul>
      </section>

      """
  }

  private var ending: String {
    """
    <section class="ending" aria-labelledby="undo">
    <h2 id="undo">\(words(.undo))</h2>
    <p>\(words(.undoText))</p>
    </section>

    """
  }
}
