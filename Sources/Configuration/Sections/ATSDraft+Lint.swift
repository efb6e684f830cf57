import Names
import Policy

extension ATSDraft {
  /// Reports what the linter has to say about the dictionary, where it stands.
  func lint(naming hosts: [Host]) {
    switch source {
    case nil: return
    case .inline(let field):
      for finding in compiled.lint(naming: hosts) { field.add(finding) }
    case .file(let field, let path):
      for finding in compiled.lint(naming: hosts) { field.reading.add(finding.inPropertyList(path)) }
    }
  }
}

extension Finding {
  /// The finding with the key path that it has in the file.
  fileprivate func inPropertyList(_ path: String) -> Finding {
    var finding = self
    finding.file = path
    finding.keyPath = keyPath.isEmpty ? "NSAppTransportSecurity" : "NSAppTransportSecurity.\(keyPath)"
    return finding
  }
}
