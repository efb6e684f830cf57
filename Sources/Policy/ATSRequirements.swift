import Names

/// What App Transport Security asks of the TLS connection to one destination, and what the device would offer there.
public struct ATSRequirements: Sendable, Hashable {
  /// nil: ATS asks for nothing here and the system's defaults apply.
  public var minimumTLS: TLSVersion?
  /// Only suites with forward secrecy are accepted.
  public var forwardSecrecy: Bool
  /// ATS itself judges the certificate: key size, signature hash and trust. The system's trust evaluation happens in any case.
  public var isATSRequired: Bool
  /// A trust policy may accept what the system's evaluation refuses: the destination has an exception with
  /// `NSExceptionAllowsInsecureHTTPLoads`, or ATS is off for it.
  public var permitsLoosening: Bool
  /// The lowest version to offer; never above `offeredMaximum`.
  public var offeredMinimum: TLSVersion
  public var offeredMaximum: TLSVersion
  /// What to offer up to TLS 1.2, best first, by OpenSSL's names. TLS 1.3 has its own suites, which are not restricted.
  public var cipherSuites: [String]
  /// The package of NIAP that is asked for in addition.
  public var niap: NIAPPackage?

  public init(
    minimumTLS: TLSVersion?, forwardSecrecy: Bool, isATSRequired: Bool, permitsLoosening: Bool,
    offeredMinimum: TLSVersion, offeredMaximum: TLSVersion, cipherSuites: [String], niap: NIAPPackage? = nil
  ) {
    self.minimumTLS = minimumTLS
    self.forwardSecrecy = forwardSecrecy
    self.isATSRequired = isATSRequired
    self.permitsLoosening = permitsLoosening
    self.offeredMinimum = offeredMinimum
    self.offeredMaximum = offeredMaximum
    self.cipherSuites = cipherSuites
    self.niap = niap
  }

  /// What may sign the handshake, by the names of RFC 8446; empty: what the library offers.
  public var signatureAlgorithms: [String] { niap?.signatureAlgorithms ?? [] }

  /// What is offered where nothing is enforced: every version from TLS 1.0 up to the system's highest and the suites of all systems, so that
  /// a violation is seen in what is negotiated. DHE is left out: an origin that speaks nothing else fails on every device.
  public static func unrestricted(os: OSVersion) -> ATSRequirements {
    ATSRequirements(
      minimumTLS: nil, forwardSecrecy: false, isATSRequired: false, permitsLoosening: true,
      offeredMinimum: .v10, offeredMaximum: ATSProfile(os).highestTLS, cipherSuites: CipherSuites.every)
  }
}

extension ATSRequirements {
  /// What no system speaks, but origins do: offered in addition, it shows what an origin is made for.
  public static var foreignSuites: [String] {
    [
      "DHE-RSA-AES256-GCM-SHA384", "DHE-RSA-AES128-GCM-SHA256", "DHE-RSA-AES256-SHA256", "DHE-RSA-AES128-SHA256",
      "DHE-RSA-AES256-SHA", "DHE-RSA-AES128-SHA",
    ]
  }
}

extension ATSRequirements {
  /// Where ATS is off for the destination (spec A.8, "system defaults").
  static func systemDefaults(_ profile: ATSProfile, niap: NIAPPackage? = nil) -> ATSRequirements {
    ATSRequirements(
      minimumTLS: nil, forwardSecrecy: niap != nil, isATSRequired: false, permitsLoosening: true,
      offeredMinimum: profile.lowestTLS, offeredMaximum: profile.highestTLS,
      cipherSuites: niap == nil ? profile.forwardSecretSuites + profile.plainSuites : CipherSuites.niap, niap: niap)
  }

  /// Full ATS with the changes of an exception (spec A.5, `tlsOptions`). Where two names of the spec differ in order only, suites with forward
  /// secrecy come first, so that an origin that follows its client's order takes the better one. A package of NIAP has suites with forward
  /// secrecy alone, whatever the exception says.
  init(
    _ profile: ATSProfile, minimum: TLSVersion? = nil, forwardSecrecy: Bool = true, permitsPlainHTTP: Bool = false,
    niap: NIAPPackage? = nil
  ) {
    let minimum = max(minimum ?? .v12, profile.lowestTLS)
    let suites =
      niap == nil
      ? profile.forwardSecretSuites + (forwardSecrecy ? [] : profile.plainSuites) : CipherSuites.niap
    self.init(
      minimumTLS: minimum, forwardSecrecy: forwardSecrecy || niap != nil, isATSRequired: !permitsPlainHTTP,
      permitsLoosening: permitsPlainHTTP, offeredMinimum: minimum, offeredMaximum: profile.highestTLS,
      cipherSuites: suites, niap: niap)
  }
}
