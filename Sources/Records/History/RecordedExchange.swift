/// An exchange as the history takes it: its record, and what was kept of its messages.
public struct RecordedExchange: Sendable {
  public let record: ExchangeRecord
  /// nil: nothing of it was kept.
  public let request: CapturedMessage?
  /// nil: there was no answer, or nothing of it was kept.
  public let response: CapturedMessage?

  public init(record: ExchangeRecord, request: CapturedMessage?, response: CapturedMessage?) {
    self.record = record
    self.request = request
    self.response = response
  }
}
