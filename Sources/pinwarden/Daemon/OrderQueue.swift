import Records

/// The orders that wait. Any thread may place some; the daemon alone takes them.
///
/// Not bounded by itself: signals of one kind are few while they wait, and so are the visitors of the console.
struct OrderQueue: Sendable {
  let orders: AsyncStream<Order>
  private let continuation: AsyncStream<Order>.Continuation

  init() {
    (orders, continuation) = AsyncStream.makeStream(of: Order.self)
  }

  func place(_ order: Order) {
    continuation.yield(order)
  }

  /// Places an order and waits until it has been carried out.
  func carryOut(_ order: (@escaping Order.Reply) -> Order) async throws(ControlFault) {
    let result = await withCheckedContinuation { (waiting: CheckedContinuation<Result<Void, ControlFault>, Never>) in
      place(order { waiting.resume(returning: $0) })
    }
    try result.get()
  }
}
