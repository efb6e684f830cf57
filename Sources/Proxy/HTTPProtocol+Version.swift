import HTTP
import Records

extension HTTPProtocol {
  /// The protocol of a message that looks like HTTP/1 on the wire.
  init(_ version: HTTPVersion) {
    self = version == .http10 ? .http10 : .http11
  }
}
