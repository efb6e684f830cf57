import Policy

/// The state of reading one configuration: its text, where its paths begin, and everything that was found so far.
///
/// Confined to the thread that loads; what the load yields is immutable.
final class Reading {
  /// More findings than this are counted but not kept.
  private static let maximumFindingCount = 500

  let source: SourceText
  /// The folder that relative paths begin in; ends without a slash.
  let folder: String
  let environment: [String: String]
  /// Seconds since 1970, for what has expired.
  let now: Int64
  /// The OS that the command line names; it beats that of the file.
  let osOverride: OSVersion?

  private(set) var findings: [Finding] = []
  private var omittedCount = 0

  init(source: SourceText, folder: String, environment: [String: String], now: Int64, osOverride: OSVersion?) {
    self.source = source
    self.folder = folder
    self.environment = environment
    self.now = now
    self.osOverride = osOverride
  }

  /// Says something about a place in the configuration file; `offset` nil where it stands in no file.
  func report(_ level: Finding.Level, _ message: String, path: String, at offset: Int?) {
    // What will not be kept needs no place.
    let position = isFull && level != .error ? nil : offset.map { source.position(of: $0) }
    add(
      Finding(
        level: level, file: source.name, line: position?.line, column: position?.column, keyPath: path,
        message: message))
  }

  /// Whether there is no room for another finding, and no sense in work for one.
  var isFull: Bool { findings.count >= Self.maximumFindingCount }

  /// Adds a finding that was made elsewhere. Errors are kept before all others when there are too many.
  func add(_ finding: Finding) {
    if !isFull {
      findings.append(finding)
      return
    }
    omittedCount += 1
    if finding.level == .error, let index = findings.lastIndex(where: { $0.level != .error }) {
      findings[index] = finding
    }
  }

  /// Everything that was found: first the configuration file from top to bottom, then other files and the command line as they
  /// came, at last how much was left out.
  var allFindings: [Finding] {
    func place(_ finding: Finding) -> (Int, Int, Int) {
      finding.file == source.name ? (0, finding.line ?? 0, finding.column ?? 0) : (1, 0, 0)
    }
    // Equal places keep their order, which the sort of the standard library does not promise.
    let ordered = findings.enumerated()
      .sorted { one, other in
        place(one.element) == place(other.element)
          ? one.offset < other.offset : place(one.element) < place(other.element)
      }
      .map(\.element)
    guard omittedCount > 0 else { return ordered }
    let message = "\(omittedCount) more findings are left out"
    return ordered + [Finding(level: .note, file: source.name, keyPath: "", message: message)]
  }

  var hasErrors: Bool { findings.contains { $0.level == .error } }

  /// A path of the configuration as an absolute one or one relative to the working directory.
  func resolve(_ path: String) -> String {
    path.hasPrefix("/") || folder.isEmpty ? path : "\(folder)/\(path)"
  }
}
