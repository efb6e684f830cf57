import HTTP

/// The directives of all Cache-Control fields of one message (RFC 9111, section 5.2), by their names in lower case.
///
/// Of equal directives the first one says what the argument is, but of equal times the shortest counts.
struct CacheDirectives: Sendable, Equatable {
  private(set) var arguments: [String: [String?]] = [:]

  init(_ fields: HeaderList) {
    guard fields.contains(.cacheControl) else { return }
    for value in fields.values(.cacheControl) { read(value) }
  }

  var isEmpty: Bool { arguments.isEmpty }

  func contains(_ name: String) -> Bool { arguments[name] != nil }

  /// Seconds. Of what is no number of seconds nothing but staleness follows (RFC 9111, section 4.2.1); nil: not there.
  func seconds(_ name: String) -> Int? {
    guard let found = arguments[name] else { return nil }
    return found.map { $0.flatMap(DeltaSeconds.init)?.value ?? 0 }.min()
  }

  // MARK: reading

  private mutating func read(_ value: String) {
    for member in ListMembers(value) {
      let parts = member.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = parts.first.map({ String($0).lowercased() }), !name.isEmpty else { continue }
      let argument = parts.count > 1 ? Self.unquoted(parts[1]) : nil
      arguments[name, default: []].append(argument)
    }
  }

  /// Arguments may be tokens or quoted strings, whichever the directive's definition uses (RFC 9111, section 5.2).
  private static func unquoted(_ text: Substring) -> String {
    guard text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return String(text) }
    return String(text.dropFirst().dropLast()).replacingEscapes
  }
}

extension String {
  /// Quoted pairs as what they stand for (RFC 9110, section 5.6.4).
  fileprivate var replacingEscapes: String {
    guard utf8.contains(UInt8(ascii: "\\")) else { return self }
    var text = ""
    var isEscaped = false
    for character in self {
      if character == "\\", !isEscaped {
        isEscaped = true
      } else {
        text.append(character)
        isEscaped = false
      }
    }
    return text
  }
}
