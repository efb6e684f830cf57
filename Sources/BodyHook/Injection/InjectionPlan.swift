import Codings
import HTML

/// How the script is put into one body.
public struct InjectionPlan: Sendable, Equatable {
  enum Place: Sendable, Equatable {
    /// Into a page, whose encoding the head of the answer may declare.
    case page(TagScanner.Syntax, declared: Charset?)
    case worker
  }

  let script: InjectedScript
  let place: Place
  /// Where the script sends bodies.
  let uploadURL: String
  /// The coding of the origin's body.
  let decoding: ContentCoding?
  /// The coding of what the client gets: gzip, where the origin's body has a coding and the client reads gzip.
  let encoding: ContentCoding?
}
