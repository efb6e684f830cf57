import Database
import Names

/// The conditions of a query, as SQL with its parameters. Whatever comes from outside is a parameter.
struct ExchangeSelection: Sendable {
  enum Value: Sendable {
    case number(Int64)
    case text(String)
  }

  private var conditions: [String] = []
  private var values: [Value] = []

  /// All members of the query but for cursor and limit.
  init(_ query: ExchangeQuery) {
    if let host = query.host { addHost(host) }
    if let status = query.status { add("status = ?", .number(Int64(status))) }
    if let verdict = query.verdict { addVerdict(verdict) }
    if let lane = query.lane { add("lane = ?", .text(lane)) }
    if let client = query.client { addEndpoint(EndpointText(client[...]), "client", "client_port") }
    if let text = query.text, !text.isEmpty { add("instr(search, ?) > 0", .text(ExchangeQuery.folded(text))) }
    if let since = query.since { add("started >= ?", .number(since)) }
  }

  /// - Parameter condition: with one question mark for the value.
  mutating func add(_ condition: String, _ value: Value) {
    conditions.append(condition)
    values.append(value)
  }

  /// The same without the exchange that the cursor names and those after it.
  func before(_ cursor: String?) throws(ExchangeQueryFault) -> ExchangeSelection {
    guard let cursor else { return self }
    var narrower = self
    narrower.add("sequence < ?", .number(try HistoryCursor.sequence(cursor)))
    return narrower
  }

  /// Whether it takes whatever there is.
  var isEmpty: Bool { conditions.isEmpty }

  /// A host is looked for in its normal form; what is no host is looked for as it is, and not found.
  private mutating func addHost(_ text: String) {
    if let both = try? HostPort(authority: text, defaultPort: nil) {
      add("host = ?", .text(both.host.text))
      add("port = ?", .number(Int64(both.port)))
    } else {
      add("host = ?", .text((try? Host(text))?.text ?? text))
    }
  }

  private mutating func addEndpoint(_ endpoint: EndpointText, _ hostColumn: String, _ portColumn: String) {
    add("\(hostColumn) = ?", .text(String(endpoint.host)))
    if let port = endpoint.port { add("\(portColumn) = ?", .number(Int64(port))) }
  }

  private mutating func addVerdict(_ verdict: String) {
    switch verdict {
    case "error": add("failed = ?", .number(1))
    case "pass", "fail", "off": add("ats = ?", .text(verdict))
    default: add("action = ?", .text(verdict))
    }
  }

  /// The statement that finds the exchanges, bound.
  func statement(
    _ columns: String, order: String, limit: Int, skip: Int = 0, in database: Database
  ) throws(DatabaseFault) -> Statement {
    let condition = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
    let statement = try database.statement(
      "SELECT \(columns) FROM exchanges\(condition) ORDER BY sequence \(order) LIMIT ? OFFSET ?")
    for (index, value) in values.enumerated() {
      switch value {
      case .number(let number): try statement.bind(Int32(index + 1), number)
      case .text(let text): try statement.bind(Int32(index + 1), text)
      }
    }
    try statement.bind(Int32(values.count + 1), Int64(limit))
    try statement.bind(Int32(values.count + 2), Int64(skip))
    return statement
  }
}
