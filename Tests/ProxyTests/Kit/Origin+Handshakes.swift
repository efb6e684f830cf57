import COpenSSL
import Testing

@testable import TLS

/// What an origin of a test can speak in TLS.
struct OriginHandshake: Sendable, CustomTestStringConvertible {
  enum Key: Sendable { case ec, rsa }

  var key = Key.ec
  var minimum = TLS1_2_VERSION
  var maximum = TLS1_2_VERSION
  /// By OpenSSL's names, up to TLS 1.2.
  var suites = "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256"
  var hasExtendedMasterSecret = true
  var choosesSuite = false

  var testDescription: String { "\(minimum)-\(maximum) \(suites) \(hasExtendedMasterSecret)" }
}

extension Origin {
  static func speaking(_ handshake: OriginHandshake) throws -> Origin {
    try Origin(handshake.key == .ec ? PKI.server("a.test") : PKI.rsaServer("a.test")) { context in
      let pointer = context.pointer
      // Old versions sign with SHA-1, which higher levels do not do.
      SSL_CTX_set_security_level(pointer, 0)
      _ = copenssl_ctx_set_versions(pointer, handshake.minimum, handshake.maximum)
      SSL_CTX_set_cipher_list(pointer, handshake.suites)
      // The macro that asks for parameters of a fit size.
      SSL_CTX_ctrl(pointer, SSL_CTRL_SET_DH_AUTO, 1, nil)
      if !handshake.hasExtendedMasterSecret { SSL_CTX_set_options(pointer, 1) }
      if handshake.choosesSuite { SSL_CTX_set_options(pointer, 1 << 22) }
    }
  }

  /// The next connection and its handshake, which may fail.
  func shake() async throws {
    _ = try await secure(try await accept(securing: false))
  }
}
