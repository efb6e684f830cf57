import Names
import Records

/// Something that the daemon is to do. Orders are carried out one after the other, whether a signal or the console gives them.
enum Order: Sendable {
  /// Told when it is done, or why not.
  typealias Reply = @Sendable (Result<Void, ControlFault>) -> Void

  /// Load the configuration again; nil: nobody waits for what comes of it.
  case reload(Reply?)
  /// Put other origins in the place of the whitelist.
  case whitelist([WebOrigin], Reply)
  /// End, for the reason of that name.
  case end(String)

  /// For orders that are not carried out any more.
  func refuse() {
    let fault = ControlFault(.unavailable, "the daemon is ending")
    switch self {
    case .reload(let reply): reply?(.failure(fault))
    case .whitelist(_, let reply): reply(.failure(fault))
    case .end: break
    }
  }
}
