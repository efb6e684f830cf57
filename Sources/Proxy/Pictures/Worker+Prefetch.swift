import HTTP
import Names
import Pictures
import Policy

/// Requests that no client made: pictures that are loaded ahead or confirmed in the background. Decided, judged and recorded as a client's.
extension Worker {
  /// - Parameter page: the connection over which a page with that picture went.
  func loadAhead(_ errand: PictureQueue.Errand, for page: ClientConnection) {
    let queue = shared.pictureQueue
    guard !isDraining, mayLoad(errand.target, page) else { return queue.ended() }
    var fields = HeaderList()
    for field in errand.fields { fields.append(name: field.name, value: field.value) }
    let head = RequestHead(method: .get, target: errand.path[...], fields: fields)
    let client = AbsentClient(connection: page, name: "prefetch") { queue.ended() }
    begin(head, client, errand.target, errand.path[...])
  }

  /// Asks whether a picture still holds that was just served past its time.
  func confirm(_ exchange: Exchange) {
    guard !isDraining else { return }
    var head = exchange.head
    head.method = .get
    for token in [FieldName.range, .ifRange, .ifNoneMatch, .ifModifiedSince] { head.fields.remove(token) }
    let client = AbsentClient(connection: exchange.connection, name: "revalidation")
    begin(head, client, exchange.target, exchange.path)
  }

  private func begin(_ head: RequestHead, _ client: AbsentClient, _ target: HostPort, _ path: ArraySlice<UInt8>) {
    let exchange = Exchange(
      stream: .absent(client), head: head, framing: .none, scheme: .https, target: target, path: path)
    client.attend(exchange)
    exchange.begin()
  }

  /// What would only be refused, or passed on unseen, is not asked for.
  private func mayLoad(_ target: HostPort, _ page: ClientConnection) -> Bool {
    // An address that came with a redirected connection is that of its own host.
    if let tunnel = page.tunnel, tunnel.dialled != nil, tunnel.target != target { return false }
    let context = page.context(userAgent: nil)
    let plan = page.plan(scheme: .https, target: target, context: context, dialled: page.tunnel?.dialled)
    return plan.decision.action == .intercept
  }
}
