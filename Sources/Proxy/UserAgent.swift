import Policy

/// Tells the ATS context of a request from its User-Agent (spec A.11), where the listener and the lane leave it open.
enum UserAgent {
  /// AVFoundation calls itself AppleCoreMedia, web views send a browser's name, and the processes behind both their own; everything else
  /// is the app's own code.
  static func context(_ value: ArraySlice<UInt8>) -> Context {
    // The first letter tells most programs apart from all of these.
    switch value.first {
    case UInt8(ascii: "A"): value.starts(with: "AppleCoreMedia/".utf8) ? .media : .app
    case UInt8(ascii: "m"): value.starts(with: "mediaplaybackd/".utf8) ? .media : .app
    case UInt8(ascii: "c"): value.starts(with: "com.apple.WebKit".utf8) ? .web : .app
    case UInt8(ascii: "M") where value.starts(with: "Mozilla/".utf8):
      String(decoding: value, as: UTF8.self).contains("AppleWebKit/") ? .web : .app
    default: .app
    }
  }
}
