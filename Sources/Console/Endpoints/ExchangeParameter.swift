import Names
import Records

/// The parameters by which exchanges are chosen.
enum ExchangeParameter: String, CaseIterable {
  case limit, cursor, skip, host, status, verdict, lane, client, text, since

  /// Those of a page, and those of everything at once.
  static let ofPages = allCases
  static let ofFiles: [ExchangeParameter] = [.host, .status, .verdict, .lane, .client, .text, .since]

  /// Those of a number of exchanges.
  static let ofCounts: [ExchangeParameter] = [.cursor] + ofFiles

  /// More than any history keeps.
  private static let skipLimit = 100_000_000
  private static let verdicts = ["intercept", "bypass", "deny", "pass", "fail", "off", "error"]
  private static let textLimit = 1_000

  /// Takes the value over into `query`, or says what is allowed.
  func apply(_ value: String, to query: inout ExchangeQuery) throws(ControlFault) {
    switch self {
    case .limit:
      guard let limit = Int(value), ExchangeQuery.limits.contains(limit) else {
        throw fault("a number from \(ExchangeQuery.limits.lowerBound) to \(ExchangeQuery.limits.upperBound)")
      }
      query.limit = limit
    case .skip:
      guard let skip = Int(value), (0...Self.skipLimit).contains(skip) else {
        throw fault("a number from 0 to \(Self.skipLimit)")
      }
      query.skip = skip
    case .status:
      guard let status = Int(value), (100...999).contains(status) else { throw fault("a number from 100 to 999") }
      query.status = status
    case .verdict:
      guard Self.verdicts.contains(value) else { throw fault("one of \(Self.verdicts.joined(separator: ", "))") }
      query.verdict = value
    case .host: query.host = try host(value)
    case .since:
      guard let since = SinceTime.milliseconds(value, now: Log.now) else { throw fault(SinceTime.forms) }
      query.since = since
    case .cursor: query.cursor = try text(value)
    case .lane: query.lane = try text(value)
    case .client: query.client = try text(value)
    case .text: query.text = try text(value)
    }
  }

  /// In the form in which records have it.
  private func host(_ value: String) throws(ControlFault) -> String {
    do throws(NameFault) {
      if let address = IPAddress(value) { return Host(address).bracketed }
      if let target = try? HostPort(authority: value, defaultPort: nil) { return "\(target)" }
      return try Host(value).bracketed
    } catch {
      throw ControlFault(.invalid, "`host` is no host with an optional port: \(error)")
    }
  }

  private func text(_ value: String) throws(ControlFault) -> String {
    guard !value.isEmpty, value.utf8.count <= Self.textLimit else {
      throw fault("1 to \(Self.textLimit) bytes of text")
    }
    return value
  }

  private func fault(_ expected: String) -> ControlFault {
    ControlFault(.invalid, "`\(rawValue)` must be \(expected)")
  }
}

extension ExchangeQuery {
  /// Reads a query; every name must be known, and given once.
  init(_ text: Substring?, allowing parameters: [ExchangeParameter]) throws(ControlFault) {
    self.init()
    guard let pairs = QueryText(text ?? "") else {
      throw ControlFault(.invalid, "the query is not percent-encoded UTF-8, or has too many parts")
    }
    for name in pairs.names {
      guard let parameter = parameters.first(where: { $0.rawValue == name }) else {
        let known = parameters.map(\.rawValue).joined(separator: ", ")
        throw ControlFault(.invalid, "`\(name.prefix(64))` is no parameter here; there are \(known)")
      }
      guard let value = pairs[name] else { throw ControlFault(.invalid, "`\(name)` is given more than once") }
      try parameter.apply(value, to: &self)
    }
  }
}
