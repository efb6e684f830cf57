import Policy

/// How one row came out.
public struct RowResult: Sendable {
  public let row: DiagnosticRow
  /// Why it fails, the reason that decides first; empty: it passes.
  public let objections: [Objection]

  public var result: DiagnosticResult { objections.isEmpty ? .pass : .fail }
}
