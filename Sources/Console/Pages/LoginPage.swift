/// The page at `/` for strangers, which asks for the token; and for visitors who have shown it, where the files of the web page are
/// missing. Without scripts; its looks are a file of the web page, and it does without them.
struct LoginPage {
  enum State {
    case stranger
    case wrongToken
    /// Too many wrong tokens came from the visitor's address.
    case waiting
    /// The visitor is let in, but there is nothing to show; the folders are where it was looked for.
    case withoutPage([String])
  }

  private let state: State

  init(_ state: State) {
    self.state = state
  }

  var text: String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>pinwarden</title>
    <link rel="icon" href="/page/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/page/login.css">
    </head>
    <body>
    <main>
    <h1><img src="/page/icon.svg" alt="" width="28" height="28">pinwarden</h1>
    \(content)</main>
    </body>
    </html>

    """
  }

  private var content: String {
    switch state {
    case .stranger: Self.form
    case .wrongToken: Self.alert("That is not the token.") + Self.form
    case .waiting: Self.alert("Too many wrong tokens came from your address. Wait a minute.") + Self.form
    case .withoutPage(let folders): Self.missing(folders) + Self.directory
    }
  }

  private static func alert(_ text: String) -> String { "<p role=\"alert\">\(escaped(text))</p>\n" }

  private static func missing(_ folders: [String]) -> String {
    let list = folders.map { "<li><code>\(escaped($0))</code></li>\n" }.joined()
    return alert("The files of the web page are not installed.") + """
      <p>They were looked for, when the program started, in:</p>
      <ul>
      \(list)</ul>
      <p>Everything else goes on:</p>

      """
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
  }

  private static let form = """
    <p class="lead">What passes through this proxy, and why.</p>
    <form method="post" action="/login">
    <label for="token">Token</label>
    <input id="token" name="token" type="password" required autofocus autocomplete="current-password" spellcheck="false">
    <button>Log in</button>
    </form>
    <p class="hint">It is in the file <code>console.token</code> in the state directory, unless the configuration names another.</p>

    """

  private static let directory = """
    <ul>
    <li><a href="/api/exchanges">Exchanges</a>, newest first</li>
    <li><a href="/api/policy">The policy in force</a></li>
    <li><a href="/api/whitelist">The whitelist</a></li>
    <li><a href="/api/har">Everything recorded, as HAR</a></li>
    <li><a href="/metrics">Measurements</a></li>
    </ul>
    <form method="post" action="/logout"><button>Log out</button></form>

    """
}
