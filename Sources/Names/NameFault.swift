/// Why a text is no host, address, port, origin, URL or pattern.
///
/// The texts inside are excerpts: bounded, without control characters, fit for a log line.
public enum NameFault: Error, Hashable, Sendable, CustomStringConvertible {
  case empty
  /// More than 253 bytes as A-labels (RFC 1035, section 2.3.4).
  case tooLong
  /// A label is empty or longer than 63 bytes.
  case badLabel(String)
  case badPort(String)
  /// It looks like an address and is none, or a legacy form of one (`127.1`, `0x7f.0.0.1`) that resolvers would still read as an address.
  case badAddress(String)
  /// A character that no host name has: a space, a control character, `%`, `/`, `@` and the like.
  case badCharacter
  /// Not a valid internationalised name; the reason in libidn2's words.
  case notIDNA(String)
  case badScheme(String)
  /// A user name or password stands before the host.
  case userInformation
  /// Something follows the origin, such as a path.
  case notAnOrigin(String)
  case badPattern(String)

  /// One sentence without a full stop, for a finding or an answer.
  public var description: String {
    switch self {
    case .empty: "a name is missing"
    case .tooLong: "the name is longer than 253 bytes"
    case .badLabel(let label) where label.isEmpty: "the name has an empty label (two dots in a row, or a dot in front)"
    case .badLabel(let label): "the label \"\(label)\" is longer than 63 bytes"
    case .badPort(let port) where port.isEmpty: "the port is missing"
    case .badPort(let port): "\"\(port)\" is no port (1 to 65535)"
    case .badAddress(let address): "\"\(address)\" is no address (four decimal numbers from 0 to 255, or IPv6)"
    case .badCharacter: "the name has a character that no host name may have"
    case .notIDNA(let reason): "the name is no valid international domain name: \(reason)"
    case .badScheme(let scheme): "\"\(scheme)\" is no scheme that is known here (http, https, ws, wss)"
    case .userInformation: "a user name or password must not stand before the host"
    case .notAnOrigin(let rest): "an origin ends after host and port, but \"\(rest)\" follows"
    case .badPattern(let pattern):
      "\"\(pattern)\" is no host pattern: write a.test (exactly), *.a.test (one label more), "
        + "**.a.test (the name and any depth below) or * (everything), each with an optional :port"
    }
  }

  /// What a fault may quote of a text from outside: at most 64 characters, control characters replaced.
  static func excerpt(_ text: some StringProtocol) -> String {
    let limit = 64
    var quoted = ""
    for (count, scalar) in text.unicodeScalars.prefix(limit + 1).enumerated() {
      guard count < limit else { return quoted + "..." }
      switch scalar.properties.generalCategory {
      case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator: quoted.append("?")
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted
  }
}
