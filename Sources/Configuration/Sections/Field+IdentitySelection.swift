import Policy

/// `select` of an identity.
extension Field {
  func identitySelection() -> IdentitySelection? {
    section { section -> IdentitySelection? in
      var selection = IdentitySelection()
      section.read("friendlyName", into: &selection.friendlyName) { $0.nonEmptyString() }
      section.read("issuer", into: &selection.issuer) { $0.nonEmptyString() }
      section.read("subject", into: &selection.subject) { $0.nonEmptyString() }
      section.read("sha256", into: &selection.sha256) { $0.fingerprint() }
      section.read("localKeyID", into: &selection.localKeyID) { $0.keyIdentifier() }
      if selection.isEmpty, case .object(let members) = section.field.node.value, members.isEmpty {
        section.field.report(
          .error, "`select` names nothing; friendlyName, subject, issuer, sha256 or localKeyID is expected")
      }
      return selection
    } ?? nil
  }

  /// 32 bytes in hexadecimal digits, with or without colons.
  private func fingerprint() -> [UInt8]? {
    guard let text = string() else { return nil }
    guard let bytes = Self.hexadecimal(text), bytes.count == 32 else {
      return reject("\(shown) is no SHA-256 fingerprint: 64 hexadecimal digits, with or without colons, are expected")
    }
    return bytes
  }

  private func keyIdentifier() -> [UInt8]? {
    guard let text = string() else { return nil }
    guard let bytes = Self.hexadecimal(text), !bytes.isEmpty else {
      return reject(
        "\(shown) is no localKeyID: hexadecimal digits are expected, as `pinwarden identity inspect` shows them")
    }
    return bytes
  }

  private static func hexadecimal(_ text: String) -> [UInt8]? {
    let digits = text.utf8.filter { $0 != UInt8(ascii: ":") }
    let values = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard values.count == digits.count, digits.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }
}
