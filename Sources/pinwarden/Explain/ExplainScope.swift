import Policy

/// What `--os` and `--context` name: one, several with commas between them, or all contexts.
struct ExplainScope {
  /// As written; empty: that of the configuration.
  let systems: [String]
  /// Empty: that of the lane or the request.
  let contexts: [Context]

  /// A table that nobody could read would also load the configuration very often.
  private static let limit = 40

  init(os: String?, context: String?) throws(UsageFault) {
    systems = try Self.words(os, option: "--os") { (word) throws(UsageFault) in
      guard OSVersion(word) != nil else {
        throw UsageFault(
          "`\(word)` is no version; one such as 18.4, or several such as 9,16,18.4, is expected for --os")
      }
      return word
    }
    let named = try Self.words(context, option: "--context") { (word) throws(UsageFault) in
      if word == "all" { return Context.allCases }
      if let context = Context(rawValue: word) { return [context] }
      let words = Context.allCases.map(\.rawValue) + ["all"]
      let near = NearestKey.find(word, among: words).map { "; did you mean \($0)?" } ?? ""
      throw UsageFault("`\(word)` is no context; --context takes \(words.joined(separator: ", "))\(near)")
    }
    contexts = named.joined().reduce(into: []) { contexts, context in
      if !contexts.contains(context) { contexts.append(context) }
    }
  }

  private static func words<Value: Hashable>(
    _ text: String?, option: String, _ read: (String) throws(UsageFault) -> Value
  ) throws(UsageFault) -> [Value] {
    guard let text else { return [] }
    var values: [Value] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      let value = try read(String(word.drop { $0 == " " }))
      if !values.contains(value) { values.append(value) }
    }
    guard values.count <= limit else { throw UsageFault("\(option) names more than \(limit)") }
    return values
  }
}
