import HTTP

/// What a request carries for the proxy alone, taken out of it.
///
/// It is taken out wherever bodies are restored for some host, so that no other origin sees it either: redirects lead anywhere.
public struct HookChannel: Sendable, Equatable {
  public internal(set) var fields = HookFields()
  /// The body that was sent ahead: named in Accept, or in the query of a form's target.
  public internal(set) var identifier: EnvelopeID?
  /// The script's fields for which a preflight asked (`Access-Control-Request-Headers`), in lower case.
  public internal(set) var askedFields: [String] = []

  /// Takes everything out of a request.
  ///
  /// - Parameter path: path and query.
  /// - Returns: nil: there was nothing.
  public static func take(from head: inout RequestHead, path: inout ArraySlice<UInt8>) -> HookChannel? {
    var channel = HookChannel()
    channel.fields = takeFields(&head.fields)
    channel.askedFields = takeAskedFields(&head)
    let accepted = takeAcceptMember(&head.fields)
    let appended = takeParameter(&path)
    if let referer = head.fields.firstBytes(.referer) {
      var cleaned = referer
      if takeParameter(&cleaned) != nil {
        head.fields.replace(.referer, with: String(decoding: cleaned, as: UTF8.self))
      }
    }
    channel.identifier = accepted ?? appended
    return channel == HookChannel() ? nil : channel
  }

  private static func takeFields(_ list: inout HeaderList) -> HookFields {
    var fields = HookFields()
    fields.meta = takeField(HookNames.meta, &list)
    fields.data = takeField(HookNames.data, &list)
    fields.identifier = takeField(HookNames.identifier, &list)
    fields.number = takeField(HookNames.number, &list)
    fields.size = takeField(HookNames.size, &list)
    return fields
  }

  private static func takeField(_ name: String, _ list: inout HeaderList) -> ArraySlice<UInt8>? {
    let values = list.values(named: name)
    guard !values.isEmpty else { return nil }
    list.remove(named: name)
    return values.count == 1 ? Array(values[0].utf8)[...] : nil
  }
}

// MARK: Accept

extension HookChannel {
  private static func takeAcceptMember(_ list: inout HeaderList) -> EnvelopeID? {
    let values = list.values(.accept)
    guard values.contains(where: { $0.contains(HookNames.acceptPrefix) }) else { return nil }
    var found: EnvelopeID?
    var rest: [Substring] = []
    for member in values.joined(separator: ",").split(separator: ",", omittingEmptySubsequences: false) {
      if let identifier = identifier(ofMember: member) {
        found = found ?? identifier
      } else {
        rest.append(member)
      }
    }
    guard found != nil else { return nil }
    let text = rest.joined(separator: ",")
    if text.allSatisfy({ $0 == " " || $0 == "," }) { list.remove(.accept) } else { list.replace(.accept, with: text) }
    return found
  }

  private static func identifier(ofMember member: Substring) -> EnvelopeID? {
    let text = member.utf8.drop { $0 == 0x20 || $0 == 0x09 }
    guard text.starts(with: HookNames.acceptPrefix.utf8) else { return nil }
    let digits = text.dropFirst(HookNames.acceptPrefix.utf8.count)
    return EnvelopeID(digits.prefix { $0 != 0x20 && $0 != 0x09 })
  }
}

// MARK: the query

extension HookChannel {
  /// Takes the parameter out of a URL or of its path and query, with the separator that the script put before it.
  static func takeParameter(_ url: inout ArraySlice<UInt8>) -> EnvelopeID? {
    guard let query = url.firstIndex(of: UInt8(ascii: "?")) else { return nil }
    let marker = Array("\(HookNames.parameter)=".utf8)
    let length = marker.count + EnvelopeID.digitCount
    var start = query + 1
    while start + length <= url.endIndex {
      let end = start + length
      let isWhole = end == url.endIndex || url[end] == UInt8(ascii: "&") || url[end] == UInt8(ascii: "#")
      if isWhole, url[start...].starts(with: marker), let found = EnvelopeID(url[(start + marker.count)..<end]) {
        url = remove(start..<end, from: url)
        return found
      }
      guard let separator = url[start...].firstIndex(of: UInt8(ascii: "&")) else { return nil }
      start = separator + 1
    }
    return nil
  }

  /// An ampersand before it goes with it; a question mark only if nothing else of the query is left.
  private static func remove(_ place: Range<Int>, from url: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isFirst = url[place.lowerBound - 1] == UInt8(ascii: "?")
    let hasMore = place.upperBound < url.endIndex && url[place.upperBound] == UInt8(ascii: "&")
    let start = isFirst && hasMore ? place.lowerBound : place.lowerBound - 1
    let end = isFirst && hasMore ? place.upperBound + 1 : place.upperBound
    return url[..<start] + url[end...]
  }
}

// MARK: preflights

extension HookChannel {
  private static let askingField = "access-control-request-headers"

  private static func takeAskedFields(_ head: inout RequestHead) -> [String] {
    guard head.method == .options else { return [] }
    let asked = head.fields.values(named: askingField).flatMap { $0.split(separator: ",") }
      .map { String($0.drop { $0 == " " || $0 == "\t" }) }
      .map { String($0.prefix { $0 != " " && $0 != "\t" }).lowercased() }
    let own = asked.filter(HookNames.fields.contains)
    guard !own.isEmpty else { return [] }
    head.fields.remove(named: askingField)
    let rest = asked.filter { !$0.isEmpty && !HookNames.fields.contains($0) }
    if !rest.isEmpty { head.fields.append(name: "Access-Control-Request-Headers", value: rest.joined(separator: ",")) }
    return own
  }

  /// Whether a preflight asks for nothing but the script's own fields, so that without the script there would be none.
  public func isOnlyReason(for head: RequestHead) -> Bool {
    guard head.method == .options, !askedFields.isEmpty, head.fields.first(named: Self.askingField) == nil else {
      return false
    }
    return ["GET", "HEAD", "POST"].contains(head.fields.first(named: "access-control-request-method") ?? "")
  }

  /// The origin's answer to a preflight without the script's fields, as the browser needs it.
  public func completing(_ answer: ResponseHead) -> ResponseHead {
    let name = "Access-Control-Allow-Headers"
    guard !askedFields.isEmpty, answer.fields.first(named: "access-control-allow-origin") != nil else { return answer }
    var answer = answer
    let allowed = answer.fields.values(named: name)
    answer.fields.remove(named: name)
    answer.fields.append(name: name, value: (allowed + askedFields).joined(separator: ", "))
    return answer
  }
}
