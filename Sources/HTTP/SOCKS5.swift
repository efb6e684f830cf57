/// The server's side of SOCKS 5 (RFC 1928), with CONNECT only, and without authentication or with user and password (RFC 1929).
public enum SOCKS5 {
  public enum Greeting: Sendable, Equatable {
    case needMore
    /// The greeting takes so many bytes, and offers these methods.
    case greeting(length: Int, Methods)
    /// A sentence for people. Nothing can be answered.
    case invalid(String)
  }

  /// The methods of authentication that are known here.
  public struct Methods: OptionSet, Sendable {
    public let rawValue: UInt8
    public static let none = Methods(rawValue: 1)
    public static let password = Methods(rawValue: 2)

    public init(rawValue: UInt8) { self.rawValue = rawValue }
  }

  /// User and password (RFC 1929, section 2).
  public enum Credentials: Sendable, Equatable {
    case needMore
    case credentials(length: Int, user: [UInt8], password: [UInt8])
    /// A sentence for people. Nothing can be answered.
    case invalid(String)
  }

  public enum Request: Sendable, Equatable {
    case needMore
    case connect(length: Int, Target)
    /// To be answered, and then closed.
    case refused(Reply)
  }

  /// Where the client wants to go.
  public struct Target: Sendable, Equatable {
    public enum Destination: Sendable, Equatable {
      /// A host name as sent: 1 to 255 printable ASCII bytes without spaces.
      case name(String)
      /// 4 or 16 bytes in network order.
      case address([UInt8])
    }

    public let destination: Destination
    public let port: UInt16

    public init(destination: Destination, port: UInt16) {
      self.destination = destination
      self.port = port
    }
  }

  /// The reply field of RFC 1928 6.
  public enum Reply: UInt8, Sendable {
    case succeeded = 0
    case generalFailure = 1
    case notAllowed = 2
    case networkUnreachable = 3
    case hostUnreachable = 4
    case connectionRefused = 5
    case timeToLiveExpired = 6
    case commandNotSupported = 7
    case addressTypeNotSupported = 8
  }

  /// The answer to a greeting that offers no authentication, which is chosen.
  public static let choosesNoAuthentication: [UInt8] = [5, 0]
  /// The answer to a greeting that offers user and password, which are asked for.
  public static let asksForPassword: [UInt8] = [5, 2]
  /// The answers to user and password (RFC 1929, section 2); after the second the connection ends.
  public static let acceptsPassword: [UInt8] = [1, 0]
  public static let refusesPassword: [UInt8] = [1, 1]
  /// The answer to any other greeting; the connection ends after it.
  public static let acceptsNoMethod: [UInt8] = [5, 0xFF]

  /// The answer to a request. The bound address is left out (0.0.0.0:0), since CONNECT has no use for it.
  public static func reply(_ reply: Reply) -> [UInt8] {
    [5, reply.rawValue, 0, 1, 0, 0, 0, 0, 0, 0]
  }

  /// Reads the greeting at the start of `bytes`; at most 257 bytes.
  public static func parseGreeting(_ bytes: UnsafeRawBufferPointer) -> Greeting {
    guard let version = bytes.first else { return .needMore }
    guard version == 5 else { return .invalid("The client does not speak SOCKS 5.") }
    guard bytes.count >= 2 else { return .needMore }
    let length = 2 + Int(bytes[1])
    guard bytes.count >= length else { return .needMore }
    var methods: Methods = []
    if bytes[2..<length].contains(0) { methods.insert(.none) }
    if bytes[2..<length].contains(2) { methods.insert(.password) }
    return .greeting(length: length, methods)
  }

  /// Reads user and password at the start of `bytes`; at most 513 bytes.
  public static func parseCredentials(_ bytes: UnsafeRawBufferPointer) -> Credentials {
    guard let version = bytes.first else { return .needMore }
    guard version == 1 else { return .invalid("The client does not keep to RFC 1929.") }
    guard bytes.count >= 2 else { return .needMore }
    let userEnd = 2 + Int(bytes[1])
    guard bytes.count > userEnd else { return .needMore }
    let length = userEnd + 1 + Int(bytes[userEnd])
    guard bytes.count >= length else { return .needMore }
    return .credentials(
      length: length, user: Array(bytes[2..<userEnd]), password: Array(bytes[(userEnd + 1)..<length]))
  }

  /// Reads the request at the start of `bytes`; at most 262 bytes.
  public static func parseRequest(_ bytes: UnsafeRawBufferPointer) -> Request {
    guard let version = bytes.first else { return .needMore }
    guard version == 5 else { return .refused(.generalFailure) }
    guard bytes.count >= 5 else { return .needMore }
    guard bytes[1] == 1 else { return .refused(.commandNotSupported) }
    switch bytes[3] {
    case 1: return connect(bytes, 4..<8) { .address(Array($0)) }
    case 4: return connect(bytes, 4..<20) { .address(Array($0)) }
    case 3: return connect(bytes, 5..<5 + Int(bytes[4]), name)
    default: return .refused(.addressTypeNotSupported)
    }
  }

  private static func connect(
    _ bytes: UnsafeRawBufferPointer, _ place: Range<Int>, _ read: (Slice<UnsafeRawBufferPointer>) -> Target.Destination?
  ) -> Request {
    let length = place.upperBound + 2
    guard bytes.count >= length else { return .needMore }
    guard let destination = read(bytes[place]) else { return .refused(.generalFailure) }
    let port = UInt16(bytes[place.upperBound]) << 8 | UInt16(bytes[place.upperBound + 1])
    return .connect(length: length, Target(destination: destination, port: port))
  }

  private static func name(_ bytes: Slice<UnsafeRawBufferPointer>) -> Target.Destination? {
    guard !bytes.isEmpty, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    return .name(String(decoding: bytes, as: UTF8.self))
  }
}
