/// The bags of a PKCS#12 file, before keys and certificates are paired.
struct PKCS12Items {
  struct Key {
    let key: PrivateKey
    let friendlyName: String?
    let localKeyID: [UInt8]?
  }

  struct Holding {
    let certificate: Certificate
    let friendlyName: String?
    let localKeyID: [UInt8]?
  }

  var keys: [Key] = []
  var certificates: [Holding] = []
  private(set) var protections: [String] = []
  private(set) var fewestRounds: Int?

  mutating func note(rounds: Int) { fewestRounds = min(fewestRounds ?? rounds, rounds) }

  mutating func note(protection: String) {
    if !protections.contains(protection) { protections.append(protection) }
  }
}
