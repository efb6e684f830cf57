import Authority
import Configuration
import Foundation
import Testing

@testable import pinwarden

@Suite struct ConsoleTokenTests {
  /// Runs `body` with an empty folder and the settings of `console: {}`.
  private func inFolder<T>(_ body: (StateFolder, ConsoleSettings) throws -> T) throws -> T {
    let path = FileManager.default.temporaryDirectory.appending(path: "pinwarden-\(UUID().uuidString)").path()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let configuration = ConfigurationLoader.load(text: "{}", environment: ["HOME": "/nowhere"]).configuration
    return try body(StateFolder(directory: "\(path)/state"), try #require(configuration?.console))
  }

  private func mode(_ path: String) throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
  }

  @Test func itIsMadeOnceAndKept() throws {
    try inFolder { folder, settings in
      let first = try ConsoleToken.load(settings, in: folder)
      let path = try #require(first.file)
      #expect(first.text.count == 64 && path == folder.path("console.token"))
      #expect(try mode(path) == 0o600 && mode(folder.directory) == 0o700)
      #expect(try ConsoleToken.load(settings, in: folder).text == first.text)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == first.text + "\n")
    }
  }

  @Test func twoAreNotTheSame() throws {
    let tokens = try (0..<2).map { _ in try inFolder { try ConsoleToken.load($1, in: $0).text } }
    #expect(tokens[0] != tokens[1])
  }

  @Test func aFileThatOthersCanReadIsClosedToThem() throws {
    try inFolder { folder, settings in
      let token = try ConsoleToken.load(settings, in: folder)
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.path("console.token"))
      let again = try ConsoleToken.load(settings, in: folder)
      #expect(again.text == token.text && again.wasExposed && !token.wasExposed)
      #expect(try mode(folder.path("console.token")) == 0o600)
    }
  }

  @Test(arguments: ["", "\n", "short", "spaces inside the token are none", "0123456789abcde\u{7}"])
  func aFileWithoutATokenIsNoToken(text: String) throws {
    try inFolder { folder, settings in
      try folder.makeDirectory()
      try folder.replace(folder.path("console.token"), with: Array(text.utf8), mode: 0o600)
      #expect(throws: CommandFault.self) { try ConsoleToken.load(settings, in: folder) }
    }
  }

  @Test func theConfigurationsTokenTouchesNoFile() throws {
    let text = "{ console: { token: 'configured-token' } }"
    let settings = try #require(
      ConfigurationLoader.load(text: text, environment: ["HOME": "/nowhere"]).configuration?.console)
    let token = try ConsoleToken.load(settings, in: StateFolder(directory: "/nowhere/at/all"))
    #expect(token.text == "configured-token" && token.file == nil)
  }
}
