import Testing

@testable import pinwarden

@Suite struct CommandLineTests {
  private static let config = pinwarden.Option.config
  private static let allow = pinwarden.Option.list("allow", "CIDR", "networks")
  private static let quiet = pinwarden.Option.flag("quiet", "say less")
  private static let output = pinwarden.Option.value("output", letter: "o", "FILE", "where to")

  private let command = Command(
    "try", "a command for tests", operands: "FILE…", operandCount: 0...2,
    options: [config, allow, quiet, output, .format]
  ) { _ throws(CommandFault) in .success }

  private func parse(_ words: String...) throws -> Arguments {
    guard case .run(_, let arguments) = try command.parse(words[...]) else { throw UsageFault("help") }
    return arguments
  }

  private func message(_ words: String...) -> String {
    do {
      _ = try command.parse(words[...])
      return ""
    } catch {
      return error.text
    }
  }

  @Test func bothFormsOfLongOptions() throws {
    #expect(try parse("--config", "a").value(Self.config) == "a")
    #expect(try parse("--config=a").value(Self.config) == "a")
    #expect(try parse("--config=").value(Self.config) == "")
    #expect(try parse("--config=a=b").value(Self.config) == "a=b")
    #expect(try parse("-o", "a").value(Self.output) == "a")
  }

  @Test func aValueMayLookLikeAnOption() throws {
    #expect(try parse("--config", "--quiet").value(Self.config) == "--quiet")
  }

  @Test func operandsAndOptionsMix() throws {
    let arguments = try parse("one", "--quiet", "two")
    #expect(arguments.operands == ["one", "two"] && arguments.has(Self.quiet))
  }

  @Test func twoDashesEndTheOptions() throws {
    #expect(try parse("--", "--quiet", "-x").operands == ["--quiet", "-x"])
    #expect(try parse("-").operands == ["-"])
  }

  @Test func aListKeepsItsOrder() throws {
    #expect(try parse("--allow", "a", "--allow=b").values(Self.allow) == ["a", "b"])
  }

  @Test func choicesAreChecked() throws {
    #expect(try parse("--format", "json").wantsJSON)
    #expect(message("--format", "jsn").contains("did you mean `json`"))
  }

  @Test(arguments: [
    (["--confg", "x"], "--config"), (["--confg=x"], "--config"), (["--quite"], "--quiet"), (["-q"], "-q"),
    (["--config"], "needs a value"), (["--config", "a", "--config", "b"], "twice"), (["--quiet=1"], "no value"),
    (["a", "b", "c"], "`c`"), (["--hlp"], "--help"), (["--"], ""),
  ])
  func faultsNameWhatIsWrong(words: [String], expected: String) {
    var text = ""
    do { _ = try command.parse(words[...]) } catch { text = error.text }
    #expect(text.isEmpty == expected.isEmpty)
    #expect(text.contains(expected) && (text.isEmpty || text.contains("pinwarden try --help")))
  }

  @Test func helpComesBeforeWhatFollows() throws {
    guard case .help(let command) = try command.parse(["--help", "--nonsense"]) else {
      Issue.record("no help")
      return
    }
    #expect(command.help.contains("pinwarden try") && command.help.contains("--allow CIDR"))
    #expect(command.help.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }
}

@Suite struct ProgramTests {
  private func parse(_ words: String...) throws -> Command.Request { try Program.root.parse(words[...]) }

  @Test func subcommandsAreFound() throws {
    guard case .run(let command, _) = try parse("authority", "export", "--format", "der") else {
      Issue.record("not found")
      return
    }
    #expect(command.name == "authority export")
  }

  @Test(arguments: [
    (["diagnoze", "a.test"], "`diagnose`"), (["authority", "exprt"], "`export`"), (["frobnicate"], "run"),
    (["--frobnicate"], "--frobnicate"), (["authority", "--x"], "--x"), (["identity", "inspect"], "FILE.p12"),
    (["identity", "rewrap", "one"], "IN.p12 OUT.p12"), (["pins"], "FILE"), (["review"], "INFO.PLIST"),
    (["check", "extra"], "extra"),
  ])
  func mistakesAreAnsweredWithAHint(words: [String], hint: String) {
    #expect {
      try Program.root.parse(words[...])
    } throws: {
      ($0 as? UsageFault)?.text.contains(hint) == true
    }
  }

  @Test(arguments: Program.commands.map(\.name)) func everyCommandHasHelp(name: String) throws {
    guard case .help(let found) = try parse(name, "--help") else {
      Issue.record("no help")
      return
    }
    #expect(found.help.contains(name) && found.help.contains("--help"))
    #expect(Program.help.contains("  \(name) "))
  }

  @Test func codesOfTheContract() async {
    #expect(await Program.run(["nonsense"]) == .usage)
    #expect(await Program.run([]) == .usage)
    #expect(await Program.run(["har"]) == .usage)
    #expect(await Program.run(["review", "/nowhere/Info.plist"]) == .unreadable)
    #expect(await Program.run(["check", "--config", "/nowhere/none.json5"]) == .configuration)
    #expect(await Program.run(["pins", "/nowhere/none.pem"]) == .unreadable)
    #expect(await Program.run(["explain", "--os", "x", "https://a.test"]) == .usage)
    #expect(await Program.run(["explain", "--stdin", "https://a.test"]) == .usage)
  }
}
