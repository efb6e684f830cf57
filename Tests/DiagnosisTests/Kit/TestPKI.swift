import COpenSSL
import Glibc
import Testing

@testable import TLS

/// Certificates for the origins of the tests.
enum TestPKI {
  struct Issuer: Sendable {
    let certificate: Certificate
    let key: PrivateKey
  }

  /// What a leaf is to be like; the defaults are those of a good one.
  struct Wish {
    var names = ["a.test"]
    /// Days from now.
    var begin: Int64 = -2
    var end: Int64 = 88
    var key: PrivateKey?
    var issuer: Issuer?
    var chain: [Certificate] = []
    var isSignedWithSHA1 = false
    var isSelfSigned = false
  }

  static let day: Int64 = 86_400
  static let now = Int64(time(nil))

  /// `upstream.anchors` of every test.
  static let root = Result { try issuer("test root", by: nil) }
  static let intermediate = Result { try issuer("test intermediate", by: root.get()) }
  static let secondIntermediate = Result { try issuer("second intermediate", by: intermediate.get()) }
  /// Nobody trusts it.
  static let stranger = Result { try issuer("strange root", by: nil) }
  static let rsa = Result { try PrivateKey.generate(.rsa2048) }
  static let weakKey = Result { try PrivateKey(pem: Array(weakKeyText.utf8), passphrase: nil) }

  static func identity(_ wish: Wish = Wish()) throws -> Identity {
    let key = try wish.key ?? PrivateKey.generate(.p256)
    let draft = CertificateDraft(
      commonName: wish.names.first, alternativeNames: wish.names.map { .dns($0) }, role: .leaf,
      keyUsage: [.digitalSignature, .keyEncipherment], purposes: [.serverAuthentication, .clientAuthentication],
      notBefore: now + wish.begin * day, notAfter: now + wish.end * day)
    let issuer = try wish.issuer ?? root.get()
    var leaf =
      try wish.isSelfSigned ? draft.selfSigned(with: key) : draft.signed(for: key, by: issuer.certificate, issuer.key)
    if wish.isSignedWithSHA1 { leaf = try signedWithSHA1(leaf, issuer.key) }
    return Identity(name: wish.names.first ?? "", leaf: leaf, chain: wish.chain, key: key)
  }

  private static func issuer(_ name: String, by issuer: Issuer?) throws -> Issuer {
    let key = try PrivateKey.generate(.p256)
    let draft = CertificateDraft(
      commonName: name, role: .authority(pathLength: nil), keyUsage: [.certificateSigning],
      notBefore: now - 90 * day, notAfter: now + 3_650 * day)
    let certificate =
      try issuer.map { try draft.signed(for: key, by: $0.certificate, $0.key) } ?? draft.selfSigned(with: key)
    return Issuer(certificate: certificate, key: key)
  }

  private static func signedWithSHA1(_ certificate: Certificate, _ key: PrivateKey) throws -> Certificate {
    let copy = try #require(X509_dup(certificate.pointer))
    try #require(X509_sign(copy, key.pointer, EVP_sha1()) > 0)
    return Certificate(adopting: copy)
  }

  /// RSA with 1024 bits; guards nothing.
  private static let weakKeyText = """
    -----BEGIN PRIVATE KEY-----
    MIICdQIBADANBgkqhkiG9w0BAQEFAASCAl8wggJbAgEAAoGBANJp9LbQ33qpqOjD
    4A9Sovjtq7uvHPbfKb8vunewiOfbCVG7pZo23oVQy80HV1hTw52VHdMxLJjwGPZZ
    uBZsYYbMLUM1+YeKttale8fxzujIN1MBxhgwhM9Kk0HP9HdDefKkcbKWfCEz0AOF
    9GZ2eOzAzjKqaIthcP6U1cIson4xAgMBAAECgYBM/zTriTeePWNv+e2N7eFxUheb
    0JK6zCMMsTx8+/69SWv5mr8Y1adMBaruVhdiXRSiH6UQWVhGhuW7kE1K91IgRZ9l
    zphImeaBb1935YYx6lT/WMP0n+D803j/na+nWkMk+BQJvkhI6PRl289kBB6ehv5x
    o2gBYH4406yCgLhG2QJBAPMp1gcSbNMZIKw+IA6TaIdhHaWqyWl+p4OEXckLXdZt
    agjOh4hNyr2CqUxRbYrDmWiTVxZUWFHMrDYwGhfkGBsCQQDdhYkWPkhGWJFBB2+v
    gIIP9VbWjXgcjbzP++u/hrBo0QUVO4TeYShl+jAks28+eRIgZBkQ7wWaX8wwsGS1
    8b+jAkAkYxtK/Z/ZSwZPoBBN/hMDRy4Xj2IKblCE5rbeEdxd7QuT+8veQr3W9Al/
    iSPaQwDe3EWI6uA4hWczyKju8EwHAkBJ/YpWdaMqa/bIY7V4R1IqBmZk74fI8ca5
    KYoKxPAzcm1iNCkjJgyaU0C1YYGsuj/FtelxcITMlWbcdG6PHxpFAkBMGz290Nhm
    +/l361Y444ZzsuOnHM7ByPG0tgKZTtszRIHG/kbC+DKy8VCrN6+Innu9CbtmRcwl
    sTPaSHoT0hY9
    -----END PRIVATE KEY-----
    """
}
