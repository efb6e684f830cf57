import Glibc
import Names
import Policy

/// The whitelist that was set through the console: a JSON array of origins, the file `whitelist.json` in the state directory. When
/// it exists it counts in place of `rules.whitelist`.
public enum StoredWhitelist {
  public static let fileName = "whitelist.json"
  private static let byteLimit = 4 << 20

  /// Has the stored list, if there is one, take the place of the draft's, and says so.
  static func apply(in directory: String, to draft: inout ConfigurationDraft, _ reading: Reading) {
    let path = "\(directory)/\(fileName)"
    func report(_ level: Finding.Level, _ message: String) {
      reading.add(Finding(level: level, file: path, keyPath: "rules.whitelist", message: message))
    }
    let bytes: [UInt8]
    do throws(FileFault) {
      bytes = try FileContents.read(path, limit: byteLimit)
    } catch {
      guard error.code != ENOENT, error.code != ENOTDIR else { return }
      return report(.error, "cannot read the whitelist that the console has set: \(error)")
    }
    do throws(StoredWhitelistFault) {
      draft.rules.whitelist = try origins(bytes)
      report(
        .note,
        "the whitelist was set through the console, and this file counts in place of the configuration's; "
          + "remove it to return to that")
    } catch {
      report(.error, "\(error.reason); mend the file, or remove it to return to the configuration's list")
    }
  }

  private struct StoredWhitelistFault: Error {
    let reason: String
  }

  private static func origins(_ bytes: [UInt8]) throws(StoredWhitelistFault) -> [WebOrigin] {
    guard case .array(let elements)? = JSON5Reader.read(bytes).root?.value else {
      throw StoredWhitelistFault(reason: "this is no JSON array of origins")
    }
    var origins: [WebOrigin] = []
    for (index, element) in elements.enumerated() {
      guard case .string(let text) = element.value, let origin = try? WebOrigin(text) else {
        throw StoredWhitelistFault(reason: "[\(index)] is no origin such as \"https://a.test\"")
      }
      origins.append(origin)
    }
    return origins
  }
}
