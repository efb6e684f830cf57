import Foundation
import Glibc

/// The files of the web page, read once at the start and served out of memory. What was not in their folder then does not exist, so a
/// path of a request can lead nowhere else. A value.
struct PageFiles: Sendable {
  struct File: Sendable {
    let contentType: String
    let bytes: [UInt8]
    /// Changes with the bytes (RFC 9110, section 8.8.3).
    let tag: String
  }

  static let shell = "index.html"
  /// More and larger files are none of ours.
  private static let fileLimit = 64
  private static let byteLimit = 512 << 10
  private static let contentTypes = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
  ]

  /// Where they were looked for.
  let folders: [String]
  private let files: [String: File]

  /// Takes the first of the folders that has a page.
  init(folders: [String]) {
    self.folders = folders
    files = folders.lazy.map(Self.read).first { $0[Self.shell] != nil } ?? [:]
  }

  /// Those that come with the program: SwiftPM's folder beside the executable, or the one of an installation.
  static var installed: PageFiles {
    let executable = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "."
    let folder = URL(filePath: executable).deletingLastPathComponent()
    return PageFiles(
      folders: ["pinwarden_Console.resources/Page", "../share/pinwarden/Page"]
        .map { folder.appending(path: $0).standardizedFileURL.path(percentEncoded: false) })
  }

  var isEmpty: Bool { files.isEmpty }

  subscript(name: String) -> File? { files[name] }

  /// Whether a file may have this name: lower case letters, digits and hyphens, and a known ending.
  static func isName(_ name: some StringProtocol) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, contentTypes[String(parts[1])] != nil, !parts[0].isEmpty else { return false }
    return parts[0].utf8.allSatisfy { byte in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
        || byte == UInt8(ascii: "-")
    }
  }

  // MARK: private

  private static func read(_ folder: String) -> [String: File] {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter(isName).sorted()
    let files = names.prefix(fileLimit).compactMap { name in file("\(folder)/\(name)").map { (name, $0) } }
    return Dictionary(files) { first, _ in first }
  }

  /// nil: it is no ordinary file, or cannot be read.
  private static func file(_ path: String) -> File? {
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_size <= byteLimit else { return nil }
    guard let type = contentTypes[String(path.split(separator: ".").last ?? "")],
      let data = FileManager.default.contents(atPath: path)
    else { return nil }
    let bytes = Array(data)
    return File(contentType: type, bytes: bytes, tag: tag(bytes))
  }

  /// FNV-1a: it tells versions of our own files apart, nothing more.
  private static func tag(_ bytes: [UInt8]) -> String {
    let sum = bytes.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x0100_0000_01B3 }
    return "\"\(String(sum, radix: 16))-\(bytes.count)\""
  }
}
