import CNGHTTP2

/// Facts about the library behind HTTP/2, for `pinwarden version` and bug reports.
public enum HTTPLibrary {
  /// The version of nghttp2 that runs, such as "1.52.0"; "unknown" if the library does not tell.
  public static var nghttp2Version: String {
    guard let info = nghttp2_version(0), let text = info.pointee.version_str else { return "unknown" }
    return String(cString: text)
  }
}
