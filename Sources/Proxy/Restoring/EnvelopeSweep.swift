import BodyHook
import EventLoop
import Synchronization

/// Sees to it that bodies whose requests never come do not stay. It lives as long as something waits. Confined to its loop.
final class EnvelopeSweep {
  private let shared: Shared
  private let loop: EventLoop
  private var timer: Timer?

  private init(_ worker: Worker) {
    shared = worker.shared
    loop = worker.loop
  }

  /// A body waits: begins, unless some loop sweeps already.
  static func begin(_ worker: Worker) {
    guard !worker.shared.isSweepingEnvelopes.exchange(true, ordering: .acquiringAndReleasing) else { return }
    let sweep = EnvelopeSweep(worker)
    let timer = Timer(loop: worker.loop) { sweep.run() }
    sweep.timer = timer
    timer.start(after: EnvelopeStore.lifetime)
  }

  private func run() {
    // First, so that a body that comes meanwhile begins another sweep.
    shared.isSweepingEnvelopes.store(false, ordering: .releasing)
    if shared.envelopes.sweep(now: loop.now),
      !shared.isSweepingEnvelopes.exchange(true, ordering: .acquiringAndReleasing)
    {
      timer?.start(after: EnvelopeStore.lifetime)
    } else {
      timer?.invalidate()
      timer = nil
    }
  }
}
