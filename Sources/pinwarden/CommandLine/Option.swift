/// A long option of a command, written `--name value` or `--name=value`.
struct Option: Sendable, Hashable {
  /// Without dashes.
  let name: String
  /// A letter that stands for it, as in `-o FILE`.
  let letter: Character?
  /// How help calls the value; nil: a switch that takes none.
  let value: String?
  /// The values that are accepted; empty: any.
  let choices: [String]
  /// Whether it may be given more than once.
  let isRepeatable: Bool
  /// What it does, in a few words.
  let help: String

  private init(
    _ name: String, letter: Character? = nil, value: String?, choices: [String] = [], isRepeatable: Bool = false,
    help: String
  ) {
    self.name = name
    self.letter = letter
    self.value = value
    self.choices = choices
    self.isRepeatable = isRepeatable
    self.help = help
  }

  /// An option with a value.
  static func value(_ name: String, letter: Character? = nil, _ value: String, _ help: String) -> Option {
    Option(name, letter: letter, value: value, help: help)
  }

  /// An option that may be given several times, with a value each.
  static func list(_ name: String, _ value: String, _ help: String) -> Option {
    Option(name, value: value, isRepeatable: true, help: help)
  }

  /// An option whose value is one of a few words.
  static func choice(_ name: String, _ choices: [String], _ help: String) -> Option {
    Option(name, value: choices.joined(separator: "|"), choices: choices, help: help)
  }

  /// A switch without value.
  static func flag(_ name: String, _ help: String) -> Option {
    Option(name, value: nil, help: help)
  }

  /// `--name VALUE`, as help shows it.
  var synopsis: String {
    let names = letter.map { "-\($0)|--\(name)" } ?? "--\(name)"
    return value.map { "\(names) \($0)" } ?? names
  }
}

extension Option {
  static let config = Option.value(
    "config", "FILE", "the configuration; without it /etc/pinwarden/pinwarden.json5 if that exists, else defaults")
  static let stateDirectory = Option.value(
    "state-directory", "DIR", "where the local CA is kept, in place of what the configuration says")
  static let format = Option.choice(
    "format", ["text", "json"], "text for people (the default) or JSON with stable names")
  static let passphraseEnvironment = Option.value(
    "passphrase-env", "NAME", "the environment variable that holds the passphrase")
  static let passphraseFile = Option.value("passphrase-file", "FILE", "a file whose first line is the passphrase")
}
