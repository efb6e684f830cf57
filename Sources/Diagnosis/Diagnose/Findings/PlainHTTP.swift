import Policy

/// What an origin says over plain HTTP, which `nscurl` does not ask.
public struct PlainHTTP: Sendable {
  public let url: String
  /// nil: nobody answered in HTTP.
  public let status: Int?
  public let location: String?
  /// Why nobody answered; a sentence.
  public let silence: String?
  /// Why App Transport Security does not permit it without an exception; nil: it does.
  public let objection: Objection?

  /// A load without an exception: whether it is permitted and answered.
  public var result: DiagnosticResult { objection == nil && status != nil ? .pass : .fail }
}
