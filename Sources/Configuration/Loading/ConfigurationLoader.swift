import Glibc
import Policy

/// What came of loading a configuration.
public struct LoadResult: Sendable {
  /// nil exactly when there is an error among the findings.
  public let configuration: Configuration?
  /// Everything there is to say: the configuration file from top to bottom, then the files that it names.
  public let findings: [Finding]

  public var hasErrors: Bool { configuration == nil }

  /// Why there is no configuration, in one line: the first error and how many more there are.
  public var rejection: String? {
    let errors = findings.filter { $0.level == .error }
    guard let first = errors.first else { return nil }
    return errors.count == 1 ? first.text : "\(first.text) (and \(errors.count - 1) more)"
  }
}

/// Loads configurations. Only reads files, those of the state directory that say what the console has set included; never makes or changes one.
public enum ConfigurationLoader {
  /// What is loaded when no file is named, if it exists.
  public static let defaultFile = "/etc/pinwarden/pinwarden.json5"

  /// Loads everything that the daemon would load: the file, and each file that it names.
  ///
  /// - Parameters:
  ///   - file: nil for `defaultFile` if that exists, else the built-in defaults.
  ///   - environment: of the process; secrets, credentials and the state directory come from it.
  public static func load(
    file: String?, overrides: CommandLineOverrides = CommandLineOverrides(), environment: [String: String]
  ) -> LoadResult {
    let path: String
    if let file {
      path = file
    } else if access(defaultFile, F_OK) == 0 {
      path = defaultFile
    } else {
      return load(text: "{}", file: nil, folder: "", overrides: overrides, environment: environment)
    }
    do throws(FileFault) {
      let bytes = try FileContents.read(path, limit: JSON5Reader.maximumByteCount)
      return load(
        source: SourceText(name: path, bytes: bytes), file: path, folder: folder(of: path), overrides: overrides,
        environment: environment)
    } catch {
      let finding = Finding(level: .error, file: path, keyPath: "", message: "cannot read the configuration: \(error)")
      return LoadResult(configuration: nil, findings: [finding])
    }
  }

  /// Loads a configuration from text.
  ///
  /// - Parameter folder: where relative paths begin; empty for the working directory.
  public static func load(
    text: String, file: String? = nil, folder: String = "", overrides: CommandLineOverrides = CommandLineOverrides(),
    environment: [String: String]
  ) -> LoadResult {
    load(
      source: SourceText(name: file ?? "", bytes: Array(text.utf8)), file: file, folder: folder, overrides: overrides,
      environment: environment)
  }

  /// `now`, in seconds since 1970, is what dates in certificates are compared with.
  static func load(
    source: SourceText, file: String?, folder: String, overrides: CommandLineOverrides, environment: [String: String],
    now: Int64 = Int64(time(nil))
  ) -> LoadResult {
    let os = overrides.os.flatMap { OSVersion($0) }
    let reading = Reading(
      source: source, folder: folder, environment: environment, now: now, osOverride: os)
    if let text = overrides.os, os == nil {
      reading.add(
        Finding(level: .error, keyPath: "--os", message: "`\(text)` is no version; one such as \"18.4\" is expected"))
    }
    let document = JSON5Reader.read(source.bytes)
    for fault in document.faults { reading.report(fault) }
    guard let node = document.root else { return LoadResult(configuration: nil, findings: reading.allFindings) }
    let root = Field(node: node, path: .root, reading: reading)
    let configuration = assemble(root, file: file, overrides: overrides)
    let findings = reading.allFindings
    return LoadResult(configuration: reading.hasErrors ? nil : configuration, findings: findings)
  }

  private static func assemble(_ root: Field, file: String?, overrides: CommandLineOverrides) -> Configuration? {
    let reading = root.reading
    var draft = ConfigurationDraft.read(root)
    draft.assignListeners()
    draft.assignLogList()
    draft.apply(overrides, reading: reading)
    draft.checkOnboarding(root)
    let stateDirectory = draft.stateDirectory ?? StateDirectory.standard(reading.environment)
    if let stateDirectory { StoredWhitelist.apply(in: stateDirectory, to: &draft, reading) }
    let assembly = LaneAssembly(draft, root: root)
    assembly.check()
    guard let stateDirectory else {
      reading.report(
        .error, "set it, or one of the environment variables STATE_DIRECTORY, XDG_STATE_HOME and HOME",
        path: "stateDirectory", at: nil)
      return nil
    }
    guard !reading.hasErrors else { return nil }
    let (lanes, standard) = assembly.lanes()
    PictureLint(draft.pictures, root: root, policies: lanes.values.map(\.policy)).report()
    return Configuration(draft, file: file, stateDirectory: stateDirectory, lanes: lanes, defaultLane: standard)
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}

extension Reading {
  /// Reports a fault of the text itself.
  fileprivate func report(_ fault: JSON5Fault) {
    var message = fault.message
    if let first = fault.firstOffset {
      let place = source.position(of: first)
      message += "; the first time in line \(place.line), column \(place.column)"
    }
    report(.error, message, path: fault.path.description, at: fault.offset)
  }
}
