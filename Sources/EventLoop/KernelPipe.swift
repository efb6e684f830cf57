import CLinux
import Glibc

/// A pipe through which the kernel moves bytes from one socket to another (splice(2)). Confined to its loop.
final class KernelPipe {
  /// More than a pipe holds.
  private static let moveByteCount = 1 << 20

  /// Bytes inside.
  private(set) var count = 0
  private let readEnd: Int32
  private let writeEnd: Int32

  /// nil: the process or the system has no descriptors left.
  init?() {
    Self.ignoreBrokenPipes
    var ends: [Int32] = [-1, -1]
    guard clinux_pipe(&ends) == 0 else { return nil }
    readEnd = ends[0]
    writeEnd = ends[1]
  }

  /// splice(2) has no flag that keeps a socket whose peer has gone from raising SIGPIPE, as send(2) has.
  private static let ignoreBrokenPipes: Void = {
    signal(SIGPIPE, SIG_IGN)
  }()

  deinit {
    close(readEnd)
    close(writeEnd)
  }

  /// - Returns: as splice(2) does, with the reason in `errno`.
  func fill(from descriptor: Int32) -> Int {
    let moved = clinux_splice(descriptor, writeEnd, Self.moveByteCount)
    count += max(0, moved)
    return moved
  }

  func drain(to descriptor: Int32) -> Int {
    let moved = clinux_splice(readEnd, descriptor, count)
    count -= max(0, moved)
    return moved
  }
}

/// The pipes that a loop has at hand: one is needed only while bytes are on their way, so a few serve many tunnels.
final class PipePool {
  private static let limit = 64

  private var idle: [KernelPipe] = []

  func take() -> KernelPipe? {
    idle.popLast() ?? KernelPipe()
  }

  /// One with bytes in it is of no use to others.
  func give(back pipe: KernelPipe) {
    if pipe.count == 0, idle.count < Self.limit { idle.append(pipe) }
  }
}
