import CIDN2

/// International domain names by libidn2.
enum IDNA {
  /// The A-label form by UTS 46, non-transitional. The result is ASCII but not yet known to be a host name.
  ///
  /// `text` must be bounded and must not contain a NUL; the scan before has seen to both.
  static func asciiForm(of text: String) throws(NameFault) -> String {
    var code: Int32 = 0
    guard let name = pinwarden_idn2_ascii(text, &code) else {
      throw .notIDNA(idn2_strerror(code).map { String(cString: $0) } ?? "error \(code)")
    }
    defer { pinwarden_idn2_free(name) }
    return String(cString: name)
  }
}
