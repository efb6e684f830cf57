/// Whether an origin that may be shown an identity wants to ask for it after the handshake, which only HTTP/1.1 permits (RFC 9113,
/// section 9.2.1; RFC 8740).
///
/// An origin cannot ask over HTTP/2, so it refuses: with HTTP_1_1_REQUIRED, which says what it wants, or with 403 or 421, which may mean
/// anything. After the latter HTTP/1.1 is tried; if the origin does not ask there either, HTTP/2 was not the reason.
struct LateIdentity: Equatable {
  enum Finding { case unknown, trying, needed, refuted }

  private(set) var finding = Finding.unknown

  /// An answer over HTTP/2.
  ///
  /// - Parameter wasAsked: the origin asked for a certificate in the handshake.
  /// - Returns: whether HTTP/1.1 is worth a try.
  mutating func answeredOverHTTP2(status: Int, wasAsked: Bool) -> Bool {
    guard status == 403 || status == 421, !wasAsked, finding != .refuted else { return false }
    if finding == .unknown { finding = .trying }
    return true
  }

  /// An answer over HTTP/1.1.
  ///
  /// - Parameter wasAsked: the origin asked for a certificate, early or late.
  /// - Returns: whether HTTP/2 was left in vain.
  mutating func answeredOverHTTP1(status: Int, wasAsked: Bool) -> Bool {
    guard finding == .trying else { return false }
    if wasAsked {
      finding = .needed
      return false
    }
    guard status == 403 || status == 421 else { return false }
    finding = .refuted
    return true
  }
}
