extension OnboardingLanguage {
  /// English.
  static let englishWords: [OnboardingText: String] = [
    .title: "Set up this device",
    .lead: """
    Two things are needed: this device sends its traffic through the proxy, and it trusts the proxy’s \
    certificate authority, *{name}*.
    """,
    .languages: "Language",
    .doctor: "Trust doctor",
    .verdictIdle: "Not checked",
    .verdictChecking: "Checking…",
    .verdictReady: "Everything is in place",
    .verdictProxy: "The proxy is not in use",
    .verdictCertificate: "The certificate is not installed",
    .verdictTrust: "The certificate is not trusted yet",
    .verdictClock: "The clock is wrong",
    .hintIdle: "This browser runs no scripts here, so nothing can be checked. The steps below are the same.",
    .hintChecking: "This takes a few seconds.",
    .hintReady: """
    This browser reaches the proxy and trusts its certificates. Apps that pin certificates may still \
    refuse them.
    """,
    .hintProxy: "Next: enter the proxy in the network settings, then come back to this page.",
    .hintCertificate: "Next: download the certificate below and install it.",
    .hintTrust: """
    It was downloaded. What is left: install it in Settings, then on iPhone and iPad switch on full \
    trust.
    """,
    .hintClock: "Certificates and logins depend on the time. Set date and time to automatic.",
    .checkProxy: "Proxy in use",
    .checkProfile: "Certificate installed",
    .checkTrust: "Full trust switched on",
    .checkClock: "Clock",
    .stateOK: "Yes",
    .stateMissing: "No",
    .stateMaybe: "Not visible from here",
    .stateWaiting: "Unknown yet",
    .clockOK: "Right",
    .clockOff: "Off by",
    .again: "Check again",
    .compare: "Compare first",
    .compareText: """
    Until the certificate is trusted nothing proves that this page is genuine. Install nothing unless \
    whoever runs the proxy sees the same SHA-256 fingerprint (`pinwarden authority show`).
    """,
    .server: "Server",
    .port: "Port",
    .getProfile: "Configuration profile",
    .getDER: "Certificate (.crt)",
    .getPEM: "Certificate (.pem)",
    .getPAC: "Automatic configuration (proxy.pac)",
    .getAndroid: "Android system store ({file})",
    .noProxy: "Ask whoever runs the proxy for its address.",
    .ios: "iPhone and iPad",
    .iosProxy: "Open *Settings › Wi-Fi*, tap (i) beside your network, then *Configure Proxy › Manual*, and enter:",
    .iosProxyProfile: "The profile of the next step also does this for the network *{network}*.",
    .iosDownload: "In Safari, download the profile and allow it. Other browsers cannot install it.",
    .iosInstall: """
    Open *Settings › Profile Downloaded*, or *General › VPN & Device Management*, tap the profile, then \
    *Install*.
    """,
    .iosTrust: """
    Open *Settings › General › About › Certificate Trust Settings* and switch on *{name}*. Without it \
    apps refuse every site.
    """,
    .android: "Android",
    .androidProxy: """
    Open *Settings › Network & internet*, your Wi-Fi network, *Edit › Advanced options › Proxy › \
    Manual*, and enter:
    """,
    .androidDownload: """
    Download the certificate. Since Android 11 opening the file is not enough; it is installed in \
    Settings.
    """,
    .androidInstall: """
    Open *Settings › Security & privacy › More security settings › Encryption & credentials › Install a \
    certificate › CA certificate*, confirm, and choose the file.
    """,
    .androidApps: """
    Since Android 7 apps trust it only if their `network_security_config.xml` says so. For debug builds:
    """,
    .androidEmulator: """
    An emulator without Google Play can take it into the system store, where every app trusts it \
    (Android 13 and before; start it with `-writable-system`):
    """,
    .mac: "Mac",
    .macProxy: """
    Open *System Settings › Network*, your network, *Details › Proxies*. Switch on the web proxy and \
    the secure web proxy, and enter:
    """,
    .macDownload: "Download the certificate.",
    .macInstall: "Trust it, in Terminal:",
    .macSimulator: "A running simulator has a store of its own:",
    .windows: "Windows",
    .windowsProxy: "Open *Settings › Network & internet › Proxy › Manual proxy setup*, and enter:",
    .windowsInstall: "Trust it, in a terminal:",
    .linux: "Linux",
    .linuxProxy: "Set it in the network settings of the desktop, or for programs of a shell:",
    .linuxInstall: "Trust it, on Debian and Ubuntu:",
    .linuxChromium: "Chromium and Chrome keep a store of their own:",
    .firefox: "Firefox",
    .firefoxProxy: """
    Open *Settings › General › Network Settings › Manual proxy configuration*, enter it, and use it for \
    HTTPS too:
    """,
    .firefoxInstall: """
    Firefox has a store of its own: *Settings › Privacy & Security › View Certificates › Authorities › \
    Import*, and let it identify websites.
    """,
    .programs: "Programs",
    .programsText: "Most take the proxy and the certificate from the environment:",
    .others: "Other systems",
    .another: "Another device",
    .anotherText: "Scan this with the camera of the device, or open:",
    .anotherProxy: "It opens once the device uses the proxy.",
    .pictureText: "QR code of this page’s address",
    .files: "All files",
    .undo: "When you are done",
    .undoText: """
    Take the proxy and the certificate off the device again. As long as it trusts the authority, \
    whoever holds the authority’s key can read its traffic.
    """,
  ]
}
