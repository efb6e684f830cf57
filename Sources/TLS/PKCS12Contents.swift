/// What a PKCS#12 file holds.
public struct PKCS12Contents: Sendable {
  /// A key with its certificate and the issuers that the file holds.
  public struct Entry: Sendable {
    public let identity: Identity
    /// The name that the exporting program gave it.
    public let friendlyName: String?
    /// What ties the key to its certificate inside the file.
    public let localKeyID: [UInt8]?

    public init(identity: Identity, friendlyName: String?, localKeyID: [UInt8]?) {
      self.identity = identity
      self.friendlyName = friendlyName
      self.localKeyID = localKeyID
    }
  }

  /// What proves that the file is whole.
  public struct MAC: Sendable, Hashable {
    /// Of the hash: `SHA-256`, `SHA-1`.
    public let algorithm: String
    /// Of the key derivation.
    public let rounds: Int

    public init(algorithm: String, rounds: Int) {
      self.algorithm = algorithm
      self.rounds = rounds
    }
  }

  /// In the order of the keys in the file, of which systems make no promise. Never empty.
  public let entries: [Entry]
  /// What protects the parts of the file, each once: `AES-256-CBC/PBKDF2`, `3DES`, `RC2-40`; `none` for what lies open.
  public let protections: [String]
  /// nil: there is none.
  public let mac: MAC?
  /// Rounds of key derivation, where it has the fewest; nil where nothing is encrypted.
  public let fewestRounds: Int?

  public init(entries: [Entry], protections: [String], mac: MAC?, fewestRounds: Int?) {
    self.entries = entries
    self.protections = protections
    self.mac = mac
    self.fewestRounds = fewestRounds
  }
}
