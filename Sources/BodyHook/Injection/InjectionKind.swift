import HTTP

/// What a request asks for, as far as its answer may get the script.
public enum InjectionKind: Sendable, Hashable {
  /// A page, of a window or a frame.
  case document
  /// The script of a dedicated, shared or service worker.
  case worker

  /// nil: something else, whose answer is never changed: a picture, a download, the result of a `fetch`.
  ///
  /// `Sec-Fetch-Dest` says it (Fetch Metadata, section 2.1). Clients that do not send it yet are asked by what a navigation accepts;
  /// libraries that fetch parts of pages say so in `X-Requested-With`.
  public init?(_ head: RequestHead) {
    guard head.method != .head, head.method != .connect, head.method != .options else { return nil }
    if let destination = head.fields.first(named: "sec-fetch-dest") {
      switch destination.lowercased() {
      case "document", "iframe", "frame": self = .document
      case "worker", "sharedworker", "serviceworker": self = .worker
      default: return nil
      }
    } else if head.fields.first(named: "service-worker")?.lowercased() == "script" {
      self = .worker
    } else {
      guard head.fields.first(.accept)?.lowercased().hasPrefix("text/html") == true,
        head.fields.first(named: "x-requested-with") == nil
      else { return nil }
      self = .document
    }
  }
}
