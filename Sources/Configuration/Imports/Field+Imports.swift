import Names
import Policy

/// `imports`, and where reports are posted.
extension Field {
  func imports() -> [ImportDraft]? {
    list("a list of files is expected") { $0.importedFile() }
  }

  private func importedFile() -> ImportDraft? {
    guard case .object(let members) = node.value, members.contains(where: { $0.key == "file" }) else {
      return importedFile(ImportSettings(file: ""), at: self)
    }
    return section { section -> ImportDraft? in
      var settings = ImportSettings(file: "")
      section.read("format", into: &settings.format) { $0.choice(ImportFormat.self) }
      section.read("targetSDK", into: &settings.targetSDK) { $0.integer(in: 1...1000) }
      section.read("debug", into: &settings.debug) { $0.boolean() }
      section.read("hosts", into: &settings.hosts) { $0.list { $0.hostPattern() } }
      return section.field("file").flatMap { importedFile(settings, at: $0) }
    } ?? nil
  }

  /// - Parameter place: the value that names the file.
  private func importedFile(_ settings: ImportSettings, at place: Field) -> ImportDraft? {
    guard let path = place.filePath() else { return nil }
    var settings = settings
    settings.file = path
    let reader = ImportReader(settings, name: place.nameOfFile ?? path, entry: self, place: place)
    return reader.read().map { ImportDraft(settings: settings, policies: $0) }
  }

  /// As it is written; nil for credentials.
  private var nameOfFile: String? {
    if case .string(let text) = node.value { text } else { nil }
  }

  /// An address for reports of pin failures.
  func reportURI() -> String? {
    guard let text = url() else { return nil }
    guard (try? TargetURL(text))?.isFitForReports == true else {
      return reject("\(shown) cannot get reports: `https` is expected, or `http` to an address on loopback")
    }
    return text
  }
}
