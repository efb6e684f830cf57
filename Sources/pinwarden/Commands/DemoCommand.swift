extension Command {
  static let demo = Command(
    "demo", "a tour of the verdicts, without network and set-up"
  ) { _ throws(CommandFault) in
    .success
  }
}
