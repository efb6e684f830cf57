/// Decides about the peer of a client session. Called on the session's loop, inside `advance` or `open`; it must not call into the
/// session.
///
/// The session does not keep its judge alive: whoever owns the session owns the judge. A judge that is gone refuses.
public protocol TLSPeerJudge: AnyObject {
  /// Whether to go on with this peer. Asked in every full handshake (a renegotiation too) before a client certificate is chosen;
  /// not asked when a session is resumed. False ends the connection with the alert bad_certificate, or with
  /// bad_certificate_status_response where TLS 1.2 sent the status after the certificates.
  func judge(_ peer: PresentedPeer) -> Bool

  /// The origin gave a ticket to resume this session with. In TLS 1.3 that is after the handshake, and may happen several times.
  func tookTicket(_ ticket: TLSTicket)
}
