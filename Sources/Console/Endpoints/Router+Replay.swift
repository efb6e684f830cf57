import Bytes
import EventLoop
import Records

/// Sending a recorded request once more.
extension Router {
  func replay(_ text: String, _ request: ConsoleRequest) -> Outcome {
    guard let identifier = Self.identifier(text) else { return .now(Self.noSuchExchange) }
    guard let history = control.history else { return .now(Self.noHistory) }
    return .preparation { [self] in
      do throws(ControlFault) {
        let changes = try ReplayChanges(request.body)
        guard let exchange = try? history.exchange(identifier) else { return .now(Self.noSuchExchange) }
        let replay = try changes.applied(to: exchange)
        return .task { await send(replay, asked: request.client) }
      } catch {
        return .now(.problem(error))
      }
    }
  }

  private func send(_ replay: ReplayRequest, asked client: SocketAddress) async -> Answer {
    log.write(
      LogEvent(.info, "replay", [("client", .text("\(client)")), ("method", .text(replay.method))]))
    do throws(ReplayFault) {
      return .json(Self.document(try await control.replay(replay)), status: 202)
    } catch {
      switch error {
      case .unknownLane, .invalid: return .problem(409, "\(error)")
      case .tooMany, .unavailable: return .problem(503, "\(error)")
      case .timedOut: return .problem(504, "\(error)")
      }
    }
  }

  /// `{id, status}`.
  static func document(_ outcome: ReplayOutcome) -> [UInt8] {
    let out = ByteQueue()
    var json = JSONText(into: out)
    json.beginObject()
    json.hexadecimal("id", outcome.identifier)
    if let status = outcome.status { json.integer("status", status) } else { json.null("status") }
    json.endObject()
    return Array(out.bytes)
  }
}
