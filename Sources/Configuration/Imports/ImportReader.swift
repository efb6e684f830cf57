import Foundation
import Policy

/// Reads one imported file: tells its format, has it read by the reader of that format, and reports what is wrong with it.
struct ImportReader {
  /// Enough for every list of pins that people keep; all of it is in memory while it is read.
  static let maximumByteCount = 4 << 20

  let settings: ImportSettings
  /// The file as the configuration names it.
  let name: String
  /// The entry of `imports`.
  let entry: Field
  /// The value in it that names the file.
  let place: Field
  var reading: Reading { entry.reading }

  init(_ settings: ImportSettings, name: String, entry: Field, place: Field) {
    self.settings = settings
    self.name = name
    self.entry = entry
    self.place = place
  }

  /// nil if the file cannot be used; that has been reported then.
  func read() -> [ImportedPolicy]? {
    if FileContents.isFolder(settings.file) {
      guard [nil, .certificates].contains(settings.format) else {
        return place.reject("`\(name)` is a folder; folders hold certificates")
      }
      return certificates()
    }
    return place.contents(of: settings.file, limit: Self.maximumByteCount).flatMap(read)
  }

  /// The same for the content of a file.
  func read(_ bytes: [UInt8]) -> [ImportedPolicy]? {
    switch ImportContent(bytes) {
    case .certificate: return expecting([.certificates]) ? certificates() : nil
    case .markup("network-security-config"):
      return expecting([.networkSecurityConfig]) ? networkSecurityConfig(bytes) : nil
    case .propertyList, .markup("plist"): return propertyList(bytes)
    case .markup(let root):
      return place.reject(
        "`\(name)` is XML whose root is `\(root.prefix(100))`; `plist` and `network-security-config` can be imported")
    case .json: return json(bytes)
    case .lines(let format): return lines(bytes, format)
    }
  }

  /// Reports when the configuration names another format than the file has.
  func expecting(_ formats: [ImportFormat]) -> Bool {
    guard let format = settings.format, !formats.contains(format) else { return true }
    let words = formats.map { "`\($0.rawValue)`" }.joined(separator: " or ")
    entry.member("format").report(.error, "`\(name)` is not of the format `\(format.rawValue)`; it looks like \(words)")
    return false
  }

  func policy(_ format: ImportFormat, _ rules: ImportedPolicy.Rules) -> ImportedPolicy {
    ImportedPolicy(source: ImportSource(file: name, format: format), rules: rules)
  }

  /// Reports something about a place in the file itself.
  func report(_ level: Finding.Level, line: Int? = nil, column: Int? = nil, keyPath: String = "", _ message: String) {
    reading.add(
      Finding(level: level, file: settings.file, line: line, column: column, keyPath: keyPath, message: message))
  }

  /// `hosts` is for files that name no hosts.
  func refuseHosts() -> Bool {
    guard !settings.hosts.isEmpty else { return false }
    entry.member("hosts").report(
      .error, "`\(name)` names its hosts itself; `hosts` is for certificates, and for curl's lists without a host")
    return true
  }
}
