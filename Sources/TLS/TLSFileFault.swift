/// Why a file with certificates or keys cannot be used. The text never holds a passphrase or key material.
public enum TLSFileFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// It is not what it should be; the reason.
  case unreadable(String)
  /// It is encrypted and no passphrase was given.
  case passphraseRequired
  case wrongPassphrase
  /// It is protected by, or holds, something that this OpenSSL cannot do; its name.
  case unsupportedAlgorithm(String)
  /// A PKCS#12 without MAC: nothing proves that it is whole.
  case noMAC
  case noCertificate
  case noKey
  /// No certificate belongs to the key.
  case keyMismatch
  /// The key is too small; its size in bits.
  case weakKey(Int)

  public var description: String {
    switch self {
    case .unreadable(let reason): reason
    case .passphraseRequired: "it is encrypted and no passphrase is given"
    case .wrongPassphrase: "the passphrase is wrong"
    case .unsupportedAlgorithm(let name): "\(name) is not supported by this OpenSSL"
    case .noMAC: "it has no MAC, so nothing proves that it is whole (allowUnauthenticated: true accepts it)"
    case .noCertificate: "it holds no certificate"
    case .noKey: "it holds no private key"
    case .keyMismatch: "the private key does not belong to the certificate"
    case .weakKey(let bits): "its key of \(bits) bits is too weak"
    }
  }
}
