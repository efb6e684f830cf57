/// The fields whose values nobody keeps: they say who somebody is to whoever reads them.
enum SecretFields {
  /// Whether a field of that name, in any case, is one.
  static func contain(_ name: UnsafeRawBufferPointer) -> Bool {
    switch name.count {
    case 6: equals(name, "cookie")
    case 10: equals(name, "set-cookie")
    case 13: equals(name, "authorization")
    case 19: equals(name, "proxy-authorization")
    default: false
    }
  }

  private static func equals(_ name: UnsafeRawBufferPointer, _ wanted: StaticString) -> Bool {
    wanted.withUTF8Buffer { wanted in
      name.elementsEqual(wanted) { byte, letter in
        byte == letter || (0x41...0x5A).contains(byte) && byte | 0x20 == letter
      }
    }
  }
}
