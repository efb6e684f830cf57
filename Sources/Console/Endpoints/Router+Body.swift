import Records

/// What was kept of a body, as it was on the wire.
extension Router {
  enum Side: String {
    case request, response
  }

  func body(_ text: String, _ side: Side) -> Outcome {
    guard let identifier = Self.identifier(text) else { return .now(Self.noSuchExchange) }
    guard let history = control.history else { return .now(Self.noHistory) }
    return .work {
      Self.reading {
        guard let exchange = try history.exchange(identifier) else { return Self.noSuchExchange }
        guard let message = side == .request ? exchange.request : exchange.response else {
          return .problem(404, "nothing was kept of this \(side.rawValue) (bodies.capture)")
        }
        // Whatever it says it is, no browser takes it for a page of ours.
        let answer = Answer(status: 200, contentType: "application/octet-stream", body: .bytes(message.body))
        return answer.with("Content-Disposition", "attachment; filename=\"\(text)-\(side.rawValue).bin\"")
      }
    }
  }
}
