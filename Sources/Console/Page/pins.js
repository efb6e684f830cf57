// Pins as each tool wants them written. Every key of the chain is given, the leaf's first: keep those that are meant, and a spare.

const digest = (pin) => pin.replace(/^sha256\//, "");
const xml = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const identities = (key, pins) => (pins.length ? `      <key>${key}</key>
      <array>
${pins.map((pin) => `        <dict><key>SPKI-SHA256-BASE64</key><string>${digest(pin)}</string></dict>`).join("\n")}
      </array>
` : "");

export const formats = {
  apple: {
    title: "NSPinnedDomains (Info.plist)",
    write: (host, pins) => `<key>NSAppTransportSecurity</key>
<dict>
  <key>NSPinnedDomains</key>
  <dict>
    <key>${xml(host)}</key>
    <dict>
${identities("NSPinnedLeafIdentities", pins.slice(0, 1))}${identities("NSPinnedCAIdentities", pins.slice(1))}    </dict>
  </dict>
</dict>`,
  },
  pinwarden: {
    title: "pinwarden (trust)",
    write: (host, pins) => `trust: {
  "${host}": { pins: [
${pins.map((pin) => `    "${pin}",`).join("\n")}
  ] },
},`,
  },
  trustkit: {
    title: "TrustKit",
    write: (host, pins) => `<key>TSKPinnedDomains</key>
<dict>
  <key>${xml(host)}</key>
  <dict>
    <key>TSKEnforcePinning</key><true/>
    <key>TSKPublicKeyHashes</key>
    <array>
${pins.map((pin) => `      <string>${digest(pin)}</string>`).join("\n")}
    </array>
  </dict>
</dict>`,
  },
  android: {
    title: "Android network_security_config.xml",
    write: (host, pins) => `<domain-config>
  <domain includeSubdomains="false">${xml(host)}</domain>
  <pin-set>
${pins.map((pin) => `    <pin digest="SHA-256">${digest(pin)}</pin>`).join("\n")}
  </pin-set>
</domain-config>`,
  },
  okhttp: {
    title: "OkHttp",
    write: (host, pins) => `CertificatePinner.Builder()
${pins.map((pin) => `    .add("${host}", "${pin}")`).join("\n")}
    .build()`,
  },
  curl: {
    title: "curl",
    write: (host, pins) => `curl --pinnedpubkey '${pins.map((pin) => `sha256//${digest(pin)}`).join(";")}' https://${host}/`,
  },
};
