/// The page at `http://pinwarden.internal/`: self-contained, without scripts and outside assets.
struct OnboardingPage {
  static let pemPath = "/pinwarden-ca.pem"
  static let derPath = "/pinwarden-ca.crt"
  static let profilePath = "/pinwarden.mobileconfig"
  static let proxyPath = "/proxy.pac"

  let authority: PublicAuthority
  let network: String?

  var text: String {
    let escaped = ConfigurationProfile.escaped
    let join = network.map { "<p>This device should be in the network <strong>\(escaped($0))</strong>.</p>\n" } ?? ""
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>pinwarden: set up this device</title>
      <style>
      :root { color-scheme: light dark; }
      body { font: 1rem/1.5 system-ui, sans-serif; max-width: 42rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
      h1 { font-size: 1.5rem; line-height: 1.2; }
      h2 { font-size: 1.1rem; margin-top: 2rem; }
      a.file { display: inline-block; padding: .6rem 1rem; border: 1px solid; border-radius: .5rem; text-decoration: none; }
      code { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
      </style>
      </head>
      <body>
      <h1>Set up this device for pinwarden</h1>
      <p>You reached this page, so the proxy works. For HTTPS the device must also trust the proxy's certificate authority,
      <strong>\(escaped(authority.name))</strong>.</p>
      \(join)<h2>Compare first</h2>
      <p>This page came over plain HTTP. Go on only if the person who runs the proxy gives you the same SHA-256 fingerprint
      (<code>pinwarden authority show</code>):</p>
      <p><code>\(authority.fingerprintText)</code></p>
      <h2>iPhone, iPad, Mac</h2>
      <p><a class="file" href="\(Self.profilePath)">Configuration profile</a></p>
      <p>Install it in Settings under “Profile Downloaded”. On iPhone and iPad then switch the authority on under General, About,
      Certificate Trust Settings: an installed profile alone is not trusted for TLS.</p>
      <h2>Android</h2>
      <p><a class="file" href="\(Self.derPath)">Certificate, DER</a></p>
      <p>Install it in the settings for security as a CA certificate. Apps see it only if their network security configuration
      trusts user certificates, as debug builds usually do.</p>
      <h2>Linux, Windows, programs</h2>
      <p><a class="file" href="\(Self.pemPath)">Certificate, PEM</a></p>
      <p><code>curl --cacert pinwarden-ca.pem</code>, or the trust store of the system or the browser.</p>
      <h2>Automatic proxy settings</h2>
      <p><a class="file" href="\(Self.proxyPath)">proxy.pac</a></p>
      <h2>When you are done</h2>
      <p>Remove the profile or certificate, and the proxy, from the device. Whoever holds the authority's key can read the
      device's traffic as long as it is trusted.</p>
      </body>
      </html>

      """
  }
}
