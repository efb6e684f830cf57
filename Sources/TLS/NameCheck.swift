import COpenSSL
import Names

/// Whether a certificate is for a host, as Apple's SSL policy sees it.
///
/// Names come from the subjectAltName only, addresses only from its iPAddress entries. A wildcard is the whole left-most label,
/// stands for exactly one label, and must not stand directly above a top-level domain or a registry's suffix.
enum NameCheck {
  static func isLeaf(_ leaf: Certificate, for host: Host) -> Bool {
    if let address = host.address {
      return address.bytes.withUnsafeBufferPointer {
        X509_check_ip(leaf.pointer, $0.baseAddress, $0.count, 0) == 1
      }
    }
    return isLeaf(leaf, named: host.text)
  }

  static func isLeaf(_ leaf: Certificate, named text: String) -> Bool {
    let name = text.hasSuffix(".") ? text.dropLast() : text[...]
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    // OpenSSL takes a leading dot as "any subdomain".
    guard labels.allSatisfy({ !$0.isEmpty }) else { return false }
    var flags = X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS
    // Whatever wildcard could match stands directly above the parent, so the name alone says whether one may.
    let parent = labels.dropFirst().joined(separator: ".")
    if labels.count < 3 || PublicSuffixes.isRegistrySuffix(parent) { flags |= X509_CHECK_FLAG_NO_WILDCARDS }
    return X509_check_host(leaf.pointer, String(name), name.utf8.count, UInt32(flags), nil) == 1
  }
}
