import Bytes
import COpenSSL

/// One TLS connection. Does no I/O: the caller lends it ciphertext as it arrives and sends what it puts into the outgoing queue.
/// Confined to one loop.
///
/// Any call may put ciphertext into `outbound`, even `open` (alerts, answers to a renegotiation, updates of keys) and calls that throw
/// (alerts): look at the queue after each. Lent bytes that a call did not use stay the caller's and come first in the next call.
public final class TLSSession {
  public enum Progress: Sendable, Equatable {
    case done
    /// All bytes that came so far are used; more are needed.
    case wantsInput
  }

  /// How far the first handshake got; to judge by what a failure means.
  public enum Stage: Int, Sendable, Comparable {
    /// Hellos, and no certificate of the server yet.
    case hello
    /// The server's certificate was sent, or received.
    case certificate
    /// This end sent its Finished message.
    case finished
    /// The handshake is complete.
    case established

    public static func < (one: Stage, other: Stage) -> Bool { one.rawValue < other.rawValue }
  }

  internal enum Role {
    case server(protocols: [[UInt8]])
    case client(ClientSide)
  }

  private enum Outcome { case done, wantsInput, closed }

  /// The largest content of one record.
  private static let recordByteCount = 16_384

  private let ssl: OpaquePointer
  private let outbound: ByteQueue
  /// What is left of the lent bytes; empty between calls.
  private var inbound = UnsafeRawBufferPointer(start: nil, count: 0)
  private var failure: TLSFailure?
  private var peerClosed = false
  /// The first two bytes that the peer ever sent, shifted together, and how many of them have come.
  private var firstBytes: (value: UInt16, count: Int) = (0, 0)

  internal let role: Role

  /// How far the first handshake got.
  public internal(set) var stage = Stage.hello
  /// What was agreed on. Nil before the handshake is done.
  public private(set) var negotiated: TLSFacts?
  /// How the origin was answered when it last asked for a client certificate, in the handshake or later; nil: it did not.
  public internal(set) var clientCertificate: ClientCertificateAnswer?
  /// The origin asked for a client certificate, or for a renegotiation, after a handshake in which HTTP/2 was agreed on. It was refused.
  public internal(set) var lateRequestWasSeen = false
  /// The judge said no; OpenSSL only reports that verification failed.
  internal var judgeRefused = false
  /// A full handshake took place whose session must not be resumed by a renegotiation.
  internal var mustForgetSession = false

  internal init(context: OpaquePointer, outbound: ByteQueue, role: Role) throws(TLSFailure) {
    ERR_clear_error()
    guard let ssl = SSL_new(context) else { throw .takeFromLibrary(otherwise: "no memory for a TLS session") }
    guard let bio = LentBytes.makeBIO() else {
      SSL_free(ssl)
      throw .takeFromLibrary(otherwise: "no memory for a TLS session")
    }
    self.ssl = ssl
    self.outbound = outbound
    self.role = role
    // Neither reference counts: the session frees both objects when it goes.
    let owner = Unmanaged.passUnretained(self).toOpaque()
    BIO_set_data(bio, owner)
    BIO_set_init(bio, 1)
    SSL_set_bio(ssl, bio, bio)
    copenssl_set_owner(ssl, owner)
  }

  deinit {
    // Without a recorded shutdown OpenSSL marks the session as not resumable. After a failure that is right.
    if failure == nil { SSL_set_shutdown(ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN) }
    SSL_free(ssl)
  }

  /// Takes the handshake as far as the lent bytes allow. The client calls it first with none.
  ///
  /// - Returns: `.done` once the handshake is complete, and how many bytes were used; the rest may be for `open`.
  public func advance(_ ciphertext: UnsafeRawBufferPointer) throws(TLSFailure) -> (progress: Progress, used: Int) {
    try begin(ciphertext)
    defer { end() }
    switch try call({ SSL_do_handshake($0) }) {
    case .done:
      if stage < .established { handshakeCompleted() }
      return (.done, ciphertext.count - inbound.count)
    case .wantsInput, .closed:
      return (.wantsInput, ciphertext.count - inbound.count)
    }
  }

  /// Decrypts until the lent bytes are used up, `limit` bytes are appended to `plaintext`, or the peer has closed. If it throws, what
  /// was opened before is in the queue and good.
  ///
  /// When the limit ends it, decrypted bytes may wait inside (`hasPendingPlaintext`); calling again without ciphertext gets them.
  ///
  /// - Returns: How many lent bytes were used, and whether the peer has sent its close_notify.
  public func open(
    _ ciphertext: UnsafeRawBufferPointer, into plaintext: ByteQueue, limit: Int
  ) throws(TLSFailure) -> (used: Int, ended: Bool) {
    try begin(ciphertext)
    defer { end() }
    guard stage == .established else { return (0, false) }
    var room = limit
    var outcome = Outcome.done
    while outcome == .done, room > 0 {
      outcome = try call { ssl in
        var status: Int32 = 0
        plaintext.append(upTo: min(room, Self.recordByteCount)) { buffer in
          var count = 0
          status = SSL_read_ex(ssl, buffer.baseAddress, buffer.count, &count)
          guard status == 1 else { return 0 }
          room -= count
          return count
        }
        return status
      }
    }
    forgetSessionIfAsked()
    return (ciphertext.count - inbound.count, peerClosed)
  }

  /// Encrypts, in as many records as it takes.
  ///
  /// - Returns: How many bytes were taken. Less than all before the handshake is done, and while a renegotiation waits for the peer:
  ///   offer the rest again after the next `open`.
  public func seal(_ plaintext: UnsafeRawBufferPointer) throws(TLSFailure) -> Int {
    try begin(UnsafeRawBufferPointer(start: nil, count: 0))
    guard stage == .established else { return 0 }
    var sealed = 0
    while sealed < plaintext.count {
      let rest = UnsafeRawBufferPointer(rebasing: plaintext[sealed...])
      var count = 0
      guard try call({ SSL_write_ex($0, rest.baseAddress, rest.count, &count) }) == .done else { break }
      sealed += count
    }
    return sealed
  }

  /// Puts a close_notify into the outgoing queue. What the peer still sends can be opened.
  public func close() {
    guard failure == nil, stage == .established else { return }
    ERR_clear_error()
    SSL_shutdown(ssl)
    ERR_clear_error()
  }

  /// What it means that the peer's stream has ended: nil if it had said so with a close_notify before.
  public func inputEnded() -> TLSFailure? {
    failure ?? (peerClosed ? nil : .truncated)
  }

  /// Decrypted bytes wait inside because a limit was reached.
  public var hasPendingPlaintext: Bool {
    SSL_pending(ssl) > 0
  }

  /// Sets the session up; false means that the library refused something.
  internal func configure(_ body: (OpaquePointer) -> Bool) throws(TLSFailure) {
    guard !body(ssl) else { return }
    throw .takeFromLibrary(otherwise: "TLS parameters that the library refused")
  }

  // MARK: - Around each call

  private func begin(_ ciphertext: UnsafeRawBufferPointer) throws(TLSFailure) {
    if let failure { throw failure }
    inbound = ciphertext
  }

  private func end() {
    inbound = UnsafeRawBufferPointer(start: nil, count: 0)
  }

  /// Runs one operation of the library. The error queue belongs to the thread, so it must be empty before.
  private func call(_ operation: (OpaquePointer) -> Int32) throws(TLSFailure) -> Outcome {
    ERR_clear_error()
    let status = operation(ssl)
    if status == 1 { return .done }
    switch SSL_get_error(ssl, status) {
    case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE:
      return .wantsInput
    case SSL_ERROR_ZERO_RETURN:
      peerClosed = true
      return .closed
    default:
      let found = explained(.takeFromLibrary(otherwise: "the TLS library failed without a reason"))
      failure = found
      throw found
    }
  }

  /// The library's reason, corrected by what the session knows better.
  private func explained(_ found: TLSFailure) -> TLSFailure {
    if judgeRefused { return .refusedByJudge }
    if lateRequestWasSeen { return .lateCertificateRequest }
    guard firstBytes.count > 0, stage == .hello else { return found }
    let type = firstBytes.count == 1 ? firstBytes.value : firstBytes.value >> 8
    let isRecord = (20...23).contains(type) && (firstBytes.count == 1 || firstBytes.value & 0xFF == 3)
    return isRecord ? found : .notTLS
  }

  private func handshakeCompleted() {
    stage = .established
    forgetSessionIfAsked()
    var name: UnsafePointer<UInt8>?
    var length: UInt32 = 0
    SSL_get0_alpn_selected(ssl, &name, &length)
    negotiated = TLSFacts(
      version: version.name, cipher: cipherName,
      alpn: name.map { String(decoding: UnsafeBufferPointer(start: $0, count: Int(length)), as: UTF8.self) },
      resumed: SSL_session_reused(ssl) == 1)
    endWatch()
  }

  /// The message callback only told the stages, unless a late request must be noticed.
  private func endWatch() {
    guard forbidsLateRequests else { return SSL_set_msg_callback(ssl, nil) }
    SSL_set_options(ssl, copenssl_op_no_renegotiation)
  }

  /// HTTP/2 forbids renegotiation (RFC 9113, section 9.2.1) and post-handshake authentication (RFC 8740). The extension that permits the
  /// latter was in the ClientHello, before the protocol was agreed on, so it is refused when it comes.
  internal var forbidsLateRequests: Bool {
    guard case .client(let side) = role, side.allowsLateAuthentication else { return false }
    return stage == .established && negotiated?.alpn == "h2"
  }

  /// See `TLSClientContext.allowLateAuthentication`. With an empty id the next renegotiation is a full handshake.
  private func forgetSessionIfAsked() {
    guard mustForgetSession, SSL_is_init_finished(ssl) == 1 else { return }
    mustForgetSession = false
    if version < .v13, let session = SSL_get_session(ssl) { SSL_SESSION_set1_id(session, "", 0) }
  }

  internal var version: ProtocolVersion {
    // OpenSSL never agrees on a version that the context does not permit, and contexts permit these only.
    ProtocolVersion(rawValue: UInt16(truncatingIfNeeded: SSL_version(ssl))) ?? .v12
  }

  /// During a handshake that of the suite which is being negotiated.
  internal var cipherName: String {
    guard let cipher = SSL_get_pending_cipher(ssl) ?? SSL_get_current_cipher(ssl),
      let name = SSL_CIPHER_get_name(cipher)
    else { return "" }
    return String(cString: name)
  }

  // MARK: - For the BIO

  /// Moves lent bytes into the library's buffer.
  internal func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, inbound.count)
    guard count > 0 else { return 0 }
    let taken = UnsafeRawBufferPointer(rebasing: inbound[..<count])
    buffer.copyMemory(from: taken)
    inbound = UnsafeRawBufferPointer(rebasing: inbound[count...])
    for byte in taken.prefix(2 - firstBytes.count) {
      firstBytes = (firstBytes.value << 8 | UInt16(byte), firstBytes.count + 1)
    }
    return count
  }

  internal func put(_ bytes: UnsafeRawBufferPointer) {
    outbound.append(bytes)
  }
}
