import Glibc

/// Which loop this thread runs. A thread-specific value, since the compiler may fold `pthread_self` over a change of
/// threads.
enum CurrentLoop {
  static let key: pthread_key_t = {
    var key = pthread_key_t()
    let result = pthread_key_create(&key, nil)
    precondition(result == 0, "no thread-specific keys left at start")
    return key
  }()

  /// The caller keeps `loop` alive until `leave`.
  static func enter(_ loop: EventLoop) {
    pthread_setspecific(key, Unmanaged.passUnretained(loop).toOpaque())
  }

  static func leave() {
    pthread_setspecific(key, nil)
  }
}
