/// A content coding that can be undone and made here (RFC 9110, section 8.4.1; RFC 7932; RFC 8878).
public enum ContentCoding: String, CaseIterable, Sendable {
  case gzip
  /// The zlib format, as the RFC has it, or the raw stream that some servers send under this name.
  case deflate
  case brotli = "br"
  case zstd

  /// - Parameter token: a member of `Content-Encoding`, in any case; nil for a coding that is unknown here.
  public init?(token: String) {
    let lowered = token.lowercased()
    self.init(rawValue: lowered == "x-gzip" ? "gzip" : lowered)
  }
}
