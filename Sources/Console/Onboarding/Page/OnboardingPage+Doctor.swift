import Records

/// The trust doctor's card: its verdict, what it looked at, and the button.
extension OnboardingPage {
  var doctor: String {
    """
    <section class="doctor" aria-labelledby="doctor">
    <h2 id="doctor">\(words(.doctor))</h2>
    <div class="verdict" role="status" aria-live="polite">
    <span class="badge" aria-hidden="true"></span>
    <div>
    \(verdicts)</div>
    </div>
    <ul class="checks">
    \(checks)</ul>
    <button type="button" id="again" hidden>\(words(.again))</button>
    </section>

    """
  }

  /// All verdicts; the style sheet shows the one that the root element names.
  private var verdicts: String {
    let all: [(String, OnboardingText, OnboardingText)] = [
      ("idle", .verdictIdle, .hintIdle), ("checking", .verdictChecking, .hintChecking),
      ("ready", .verdictReady, .hintReady), ("proxy", .verdictProxy, .hintProxy),
      ("certificate", .verdictCertificate, .hintCertificate), ("trust", .verdictTrust, .hintTrust),
      ("clock", .verdictClock, .hintClock),
    ]
    return all.map { name, title, hint in
      "<div class=\"when when-\(name)\"><p class=\"title\">\(words(title))</p><p>\(words(hint))</p></div>\n"
    }.joined()
  }

  private var checks: String {
    // What the request itself shows is so already.
    let isProxied = request.way != .direct
    let isTrusted = request.way == .securedProxy
    return check("proxy", .checkProxy, isProxied ? "ok" : "waiting")
      + check("profile", .checkProfile, isTrusted ? "ok" : "waiting")
      + check("trust", .checkTrust, isTrusted ? "ok" : "waiting", onlyFor: .ios)
      + check("clock", .checkClock, "waiting")
  }

  private func check(_ name: String, _ label: OnboardingText, _ state: String, onlyFor system: DeviceSystem? = nil)
    -> String
  {
    let isClock = name == "clock"
    let only = system.map { " data-only=\"\($0.rawValue)\"" } ?? ""
    return """
      <li data-step="\(name)" data-state="\(state)"\(only)>
      <span class="mark" aria-hidden="true"></span><span class="label">\(words(label))</span>
      <span class="state"><span class="on-ok">\(words(isClock ? .clockOK : .stateOK))</span>\
      <span class="on-missing">\(isClock ? words(.clockOff) + " <span id=\"skew\"></span>" : words(.stateMissing))</span>\
      <span class="on-maybe">\(words(.stateMaybe))</span><span class="on-waiting">\(words(.stateWaiting))</span></span>
      </li>

      """
  }
}
