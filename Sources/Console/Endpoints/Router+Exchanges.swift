import Bytes
import Records

/// What was recorded.
extension Router {
  func exchanges(_ request: ConsoleRequest) -> Outcome {
    let query: ExchangeQuery
    do throws(ControlFault) {
      query = try ExchangeQuery(request.query, allowing: ExchangeParameter.ofPages)
    } catch {
      return .now(.problem(error))
    }
    guard let history = control.history else { return .now(Self.noHistory) }
    return .work { Self.reading { .json(Self.document(try history.page(query))) } }
  }

  /// `{exchanges: [newest first], start, next}`.
  static func document(_ page: ExchangePage) -> [UInt8] {
    let out = ByteQueue()
    out.append("{\"exchanges\":[")
    for (index, exchange) in page.exchanges.enumerated() {
      if index > 0 { out.append(UInt8(ascii: ",")) }
      out.append(exchange.record)
    }
    out.append("],")
    var json = JSONText(into: out)
    json.optional("start", page.start)
    json.optional("next", page.next)
    out.append(UInt8(ascii: "}"))
    return Array(out.bytes)
  }

  func exchange(_ text: String) -> Outcome {
    guard let identifier = Self.identifier(text) else { return .now(Self.noSuchExchange) }
    guard let history = control.history else { return .now(Self.noHistory) }
    return .work {
      Self.reading {
        guard let exchange = try history.exchange(identifier) else { return Self.noSuchExchange }
        return .json(ExchangeDocument(exchange).bytes)
      }
    }
  }

  static let noSuchExchange = Answer.problem(404, "there is no exchange with this id, or not any more")

  /// The number behind the sixteen digits of a record's `id`.
  static func identifier(_ text: String) -> UInt64? {
    text.utf8.count == 16 && text.allSatisfy(\.isHexDigit) ? UInt64(text, radix: 16) : nil
  }

  /// Makes an answer out of the history; a failure of it is ours.
  static func reading(_ body: () throws -> Answer) -> Answer {
    do {
      return try body()
    } catch let fault as ExchangeQueryFault {
      return .problem(400, "\(fault)")
    } catch {
      return .problem(500, "the history cannot be read: \(error)")
    }
  }
}
