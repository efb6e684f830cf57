/// A URL in a record, kept in the pieces that there are, so that a record costs no string of its own.
public struct RecordURL: Sendable {
  /// Empty for text that was never understood as a URL.
  public let scheme: String
  /// `host` or `host:port`, normalised.
  public let authority: String
  /// Path and query as they were on the wire.
  public let path: ArraySlice<UInt8>

  public init(scheme: String, authority: String, path: ArraySlice<UInt8>) {
    self.scheme = scheme
    self.authority = authority
    self.path = path
  }

  /// Text that may be no URL.
  public init(text: String) {
    self.init(scheme: "", authority: "", path: Array(text.utf8)[...])
  }

  public var text: String {
    let path = String(decoding: path, as: UTF8.self)
    return scheme.isEmpty ? path : "\(scheme)://\(authority)\(path)"
  }
}
