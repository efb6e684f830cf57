import Foundation
import Testing

/// Runs the checks of the fuzz programs over the inputs that are kept beside them.
@Suite("Kept fuzz inputs")
struct ReplayTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

  @Test("hold what is claimed", arguments: Check.all.map(\.name), ["Corpus", "Failures"])
  func replay(name: String, kind: String) throws {
    let folder = Self.folder.appending(components: name, kind)
    for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
      let bytes = Array(try Data(contentsOf: file))
      #expect(throws: Never.self, "\(name)/\(kind)/\(file.lastPathComponent)") { try Check.named(name).run(bytes) }
    }
  }

  @Test("every program has a check, and seeds")
  func programs() throws {
    let folders = try FileManager.default.contentsOfDirectory(at: Self.folder, includingPropertiesForKeys: nil)
      .map(\.lastPathComponent).filter { !["Checks", "Driver", "Replay", "run"].contains($0) }
    #expect(folders.sorted() == Check.all.map(\.name).sorted())
  }
}
