import Configuration
import Records

extension HistorySettings {
  /// nil: the history is switched off.
  init?(_ configuration: Configuration) {
    guard let store = configuration.store else { return nil }
    self.init(
      directory: configuration.stateDirectory, byteCount: store.byteCount, exchangeCount: store.exchangeCount)
  }
}

extension ExchangeHistory {
  /// The history of a daemon; what it has to tell goes into the log.
  convenience init(_ configuration: Configuration, log: Log) {
    self.init(HistorySettings(configuration)) { log.write($0) }
  }
}
