import BodyHook
import HTTP

/// What an exchange with a hooked host knows about the script that its answer gets. Part of its exchange.
struct Injecting {
  let request: InjectionRequest
  /// The head of the request as the origin got it.
  let sent: RequestHead
  /// The answer's body on its way, if it gets the script.
  var body: InjectingBody?
  /// The origin's answer has ended while bytes of it waited for the client.
  var end: End?
  /// The body cannot be decoded; the exchange ends in this turn.
  var isBroken = false
  /// The rest of a long piece is made after others had their turn.
  var isScheduled = false

  struct End {
    let trailers: HeaderList?
  }
}
