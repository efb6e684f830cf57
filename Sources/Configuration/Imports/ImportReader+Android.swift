import Foundation
import Policy
import TLS

/// Android's `network_security_config.xml`.
extension ImportReader {
  func networkSecurityConfig(_ bytes: [UInt8]) -> [ImportedPolicy]? {
    guard !refuseHosts() else { return nil }
    let root: MarkupElement
    do throws(MarkupReader.Fault) {
      root = try MarkupReader.read(bytes)
    } catch {
      report(.error, line: error.line, column: error.column, error.message)
      return nil
    }
    let folder = Self.folder(of: settings.file)
    var reader = NetworkSecurityConfigReader(
      targetSDK: settings.targetSDK, isDebuggable: settings.debug, now: reading.now, timeZone: .current,
      resolve: { Self.resource($0, beside: folder) })
    let config = reader.read(root)
    for finding in reader.findings.sorted(by: { ($0.line ?? 0) < ($1.line ?? 0) }) {
      report(finding.level, line: finding.line, keyPath: finding.keyPath, finding.message)
    }
    return config.map { [policy(.networkSecurityConfig, .networkSecurity($0))] }
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The certificates of a raw resource, which stands beside the XML or where a project has it: `res/xml/` and `res/raw/`.
  private static func resource(_ name: String, beside folder: String) -> [Certificate]? {
    let isName =
      !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
    guard isName else { return nil }
    for path in ["\(folder)/\(name)", "\(folder)/../raw/\(name)"] {
      for ending in ["", ".pem", ".crt", ".cer", ".der"] {
        guard let bytes = try? FileContents.read(path + ending, limit: maximumByteCount) else { continue }
        return try? Certificate.parse(pemOrDER: bytes)
      }
    }
    return nil
  }
}
