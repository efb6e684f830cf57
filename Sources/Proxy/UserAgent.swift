import Policy

/// Tells the ATS context of a request from its User-Agent (spec A.11), where the listener and the lane leave it open.
enum UserAgent {
  /// AVFoundation calls itself AppleCoreMedia; web views send a browser's name; everything else is the app's own code.
  static func context(_ value: ArraySlice<UInt8>?) -> Context {
    guard let value, let first = value.first else { return .app }
    // The first letter tells most programs apart from both.
    guard first == UInt8(ascii: "A") || first == UInt8(ascii: "M") else { return .app }
    if value.starts(with: "AppleCoreMedia/".utf8) { return .media }
    guard value.starts(with: "Mozilla/".utf8) else { return .app }
    return String(decoding: value, as: UTF8.self).contains("AppleWebKit/") ? .web : .app
  }
}
