/// Where imported pins come from.
public struct ImportSource: Sendable, Hashable {
  /// The file as the configuration names it.
  public var file: String
  public var format: ImportFormat

  public init(file: String, format: ImportFormat) {
    self.file = file
    self.format = format
  }
}

extension ImportSource: CustomStringConvertible {
  /// `n.xml: network-security-config`; how texts and records name it.
  public var description: String { "\(file): \(format.rawValue)" }
}
