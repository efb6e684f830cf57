extension TLSSession {
  /// The origin asked for a client certificate, in the handshake or later.
  public var clientCertificateWasAsked: Bool { clientCertificate != nil }

  /// The identity that was presented to the origin. Nil though `clientCertificateWasAsked`: none was fit.
  public var sentIdentity: Identity? { clientCertificate?.sent }
}
