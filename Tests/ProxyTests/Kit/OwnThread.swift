import Dispatch

/// Runs the bodies of these tests on a thread of its own: tests of other targets that compute for seconds would otherwise hold all
/// threads of Swift's pool, and clients would miss the proxy's time limits.
final class OwnThread: TaskExecutor {
  static let shared = OwnThread()

  private let queue = DispatchQueue(label: "proxy-tests")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
