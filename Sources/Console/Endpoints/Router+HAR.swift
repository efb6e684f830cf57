import Records

/// Everything that was recorded, as HAR 1.2.
extension Router {
  func har(_ request: ConsoleRequest) -> Outcome {
    .now(Self.noHistory)
  }
}
