/// The page at `/`: it asks strangers for the token, and tells visitors who have shown it what there is. Self-contained, without
/// scripts.
struct LoginPage {
  enum State {
    case stranger
    case wrongToken
    /// Too many wrong tokens came from the visitor's address.
    case waiting
    case admitted
  }

  static let stylesheetPath = "/console.css"

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
    <title>pinwarden</title>
    <link rel="stylesheet" href="\(Self.stylesheetPath)">
    </head>
    <body>
    <h1>pinwarden</h1>
    \(notice)\(state == .admitted ? Self.directory : Self.form)</body>
    </html>

    """
  }

  private var notice: String {
    switch state {
    case .stranger, .admitted: ""
    case .wrongToken: "<p role=\"alert\">That is not the token.</p>\n"
    case .waiting: "<p role=\"alert\">Too many wrong tokens came from your address. Wait a minute.</p>\n"
    }
  }

  private static let form = """
    <form method="post" action="/login">
    <label for="token">Token</label>
    <input id="token" name="token" type="password" required autofocus autocomplete="current-password" spellcheck="false">
    <button>Log in</button>
    </form>
    <p>It is in the file <code>console.token</code> in the state directory, unless the configuration names another.</p>

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

  static let stylesheet = """
    :root { color-scheme: light dark; }
    body { font: 1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 0 auto; padding: 2rem 1rem; }
    h1 { font-size: 1.5rem; }
    input { display: block; width: 100%; box-sizing: border-box; font: inherit; padding: .4rem; margin: .25rem 0 .75rem; }
    button { font: inherit; padding: .4rem 1rem; }
    [role=alert] { border-left: .25rem solid; padding-left: .75rem; }

    """
}
