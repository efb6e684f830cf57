import Records

/// Everything that was recorded, as HAR 1.2.
extension Router {
  func har(_ request: ConsoleRequest) -> Outcome {
    let query: ExchangeQuery
    do throws(ControlFault) {
      query = try ExchangeQuery(request.query, allowing: ExchangeParameter.ofFiles)
    } catch {
      return .now(.problem(error))
    }
    guard let history = control.history else { return .now(Self.noHistory) }
    let writer = HARWriter(creatorVersion: version)
    let answer = Answer(
      status: 200, contentType: "application/json",
      body: .stream { pipe in try writer.write(history, query) { try pipe.write(Array($0)) } })
    return .now(answer.with("Content-Disposition", "attachment; filename=\"pinwarden.har\""))
  }
}
