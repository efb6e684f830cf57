import HTTP

/// The fields of a request by which a response was chosen, with what they said (RFC 9111, section 4.1).
public struct Variant: Sendable, Equatable {
  struct Selection: Sendable, Equatable {
    /// In lower case.
    let name: String
    /// nil: the request had no such field.
    let value: String?
  }

  let selections: [Selection]

  init(selections: [Selection]) {
    self.selections = selections
  }

  /// nil: the response says `Vary: *`, and no request but its own is answered with it.
  init?(response: HeaderList, request: HeaderList) {
    var selections: [Selection] = []
    for value in response.values(.vary) {
      for member in ListMembers(value) {
        guard member != "*" else { return nil }
        let name = member.lowercased()
        guard !selections.contains(where: { $0.name == name }) else { continue }
        selections.append(Selection(name: name, value: Self.value(name, in: request)))
      }
    }
    self.selections = selections
  }

  func matches(_ request: HeaderList) -> Bool {
    selections.allSatisfy { $0.value == Self.value($0.name, in: request) }
  }

  /// Several fields are one list, and blanks around its commas mean nothing.
  private static func value(_ name: String, in request: HeaderList) -> String? {
    let values = request.values(named: name)
    guard !values.isEmpty else { return nil }
    return values.flatMap { Array(ListMembers($0)) }.joined(separator: ", ")
  }
}
