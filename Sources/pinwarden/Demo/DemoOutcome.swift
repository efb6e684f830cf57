/// What came of one case.
struct DemoOutcome: Sendable {
  let example: DemoCase
  /// nil: no answer came.
  let status: Int?
  /// Of NSURLErrorDomain; nil: no error.
  let code: Int?
  /// What the proxy said of a refusal, or why the request failed.
  let detail: String
  let isAsExpected: Bool
}
