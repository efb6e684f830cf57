/// Who takes the records of exchanges beside the log: the history, and whoever watches live. Implementations are used on loops, so
/// all members return at once.
public protocol ExchangeRecorder: Sendable {
  /// Whether an exchange would be taken now. Asked when an exchange begins, before anything of it is copied, and when it ends.
  var admits: Bool { get }
  /// Takes the exchanges that ended in one turn of a loop. What does not fit is dropped and counted.
  func submit(_ batch: [RecordedExchange])
  /// Counts an exchange that was not submitted, because `admits` was false.
  func omitted()
}
