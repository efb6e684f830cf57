import Records
import Synchronization
import Testing

/// Takes records as the history does, and gives them to a test.
final class Recorder: ExchangeRecorder {
  private let taken = Mutex<[RecordedExchange]>([])
  private let isOpen: Mutex<Bool>

  init(admits: Bool = true) {
    isOpen = Mutex(admits)
  }

  var admits: Bool {
    get { isOpen.withLock { $0 } }
    set { isOpen.withLock { $0 = newValue } }
  }

  func submit(_ batch: [RecordedExchange]) {
    taken.withLock { $0 += batch }
  }

  func omitted() {}

  /// The record that came as number `index`.
  func exchange(_ index: Int = 0, sourceLocation: SourceLocation = #_sourceLocation) async throws -> RecordedExchange {
    let found = await Kit.before(Peer.patience) { [self] in
      taken.withLock { $0.count > index ? $0[index] : nil }
    }
    return try #require(found, "the record \(index) did not come", sourceLocation: sourceLocation)
  }

  var count: Int { taken.withLock { $0.count } }
}

extension CapturedMessage {
  /// The values of the fields of that name, in any case.
  subscript(name: String) -> [String] {
    fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
  }

  var text: String { String(decoding: body, as: UTF8.self) }
}
