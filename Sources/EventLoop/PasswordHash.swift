import CCrypt
import Glibc

/// Passwords against the hashes of an htpasswd file, by the system's `crypt`.
public enum PasswordHash {
  /// bcrypt, SHA-256-crypt and SHA-512-crypt. Older methods are not worth the name.
  private static let prefixes = ["$2y$", "$2b$", "$2a$", "$5$", "$6$"]

  /// Whether `hash` is of a kind that `verify` accepts.
  public static func isSupported(_ hash: String) -> Bool {
    prefixes.contains { hash.hasPrefix($0) }
  }

  /// Whether `password` has the hash `hash`. Takes milliseconds to hundreds of them, on purpose: never call it on a
  /// loop.
  ///
  /// - Returns: false also for a hash of an unknown kind, and for a password with a NUL or longer than the 511 bytes
  ///   that `crypt` takes.
  public static func verify(_ password: [UInt8], against hash: String) -> Bool {
    guard isSupported(hash), !hash.utf8.contains(0), !password.contains(0),
      password.count < Int(CRYPT_MAX_PASSPHRASE_SIZE)
    else { return false }
    let data = UnsafeMutablePointer<crypt_data>.allocate(capacity: 1)
    memset(data, 0, MemoryLayout<crypt_data>.size)
    var phrase = password.map { CChar(bitPattern: $0) } + [0]
    defer {
      explicit_bzero(data, MemoryLayout<crypt_data>.size)
      explicit_bzero(&phrase, phrase.count)
      data.deallocate()
    }
    guard let result = crypt_r(phrase, hash, data) else { return false }
    let computed = UnsafeRawBufferPointer(start: result, count: strlen(result))
    return isEqualInConstantTime(computed, Array(hash.utf8))
  }

  /// The time depends on the lengths only, which are no secret.
  private static func isEqualInConstantTime(_ one: UnsafeRawBufferPointer, _ two: [UInt8]) -> Bool {
    guard one.count == two.count else { return false }
    var difference: UInt8 = 0
    for (left, right) in zip(one, two) { difference |= left ^ right }
    return difference == 0
  }
}
