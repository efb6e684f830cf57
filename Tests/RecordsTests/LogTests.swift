import Bytes
import Foundation
import Glibc
import Testing

@testable import Records

@Suite struct LogTests {
  /// A pipe whose reading end does nothing until the test reads.
  private final class Pipe: Sendable {
    let read: Int32
    let write: Int32

    init() throws {
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      (read, write) = (ends[0], ends[1])
      _ = fcntl(read, F_SETFL, O_NONBLOCK)
    }

    deinit {
      close(read)
      close(write)
    }

    /// Reads until the text contains `last`.
    func text(until last: String) async -> String {
      var bytes: [UInt8] = []
      let wanted = Array(last.utf8)
      for _ in 0..<2_000 {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(read, &buffer, buffer.count)
        if count > 0 {
          bytes += buffer[..<count]
        } else {
          if bytes.suffix(100_000).split(separator: UInt8(ascii: "\n")).contains(where: {
            $0.firstRange(of: wanted) != nil
          }) {
            break
          }
          try? await Task.sleep(for: .milliseconds(2))
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  private func line(_ text: String) -> ByteQueue {
    let queue = ByteQueue()
    queue.append(text + "\n")
    return queue
  }

  @Test func `events below the level are not written`() async throws {
    let pipe = try Pipe()
    let log = Log(format: .json, level: .warning, descriptor: pipe.write)
    #expect(log.writes(.error) && log.writes(.warning) && !log.writes(.info) && !log.writes(.debug))
    log.write(LogEvent(.info, "quiet"))
    log.write(LogEvent(.error, "loud"))
    log.use(level: .debug)
    #expect(log.writes(.debug))
    log.write(LogEvent(.debug, "last"))
    let text = await pipe.text(until: "last")
    #expect(!text.contains("quiet") && text.contains("loud") && text.contains("\"level\":\"debug\""))
  }

  @Test func `many threads write whole lines`() async throws {
    let pipe = try Pipe()
    let log = Log(format: .json, level: .info, descriptor: pipe.write)
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for index in 0..<100 { log.write(LogEvent(.info, "event", [("text", .text("\(task)-\(index)"))])) }
        }
      }
    }
    log.write(LogEvent(.info, "the-end"))
    let lines = await pipe.text(until: "the-end").split(separator: "\n")
    #expect(lines.count == 801)
    for line in lines { #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) } }
  }

  @Test func `a stuck reader costs records, not memory, and the loss is told`() async throws {
    let pipe = try Pipe()
    let log = Log(format: .json, level: .info, descriptor: pipe.write)
    let block = String(repeating: "x", count: 1 << 20)
    for _ in 0..<40 { log.submit(line(block)) }
    #expect(log.droppedCount > 20 && log.droppedCount < 40)
    let dropped = log.droppedCount
    let text = await pipe.text(until: "records-dropped")
    #expect(text.contains("\"event\":\"records-dropped\",\"count\":\(dropped)"))
    #expect(text.utf8.count < 20 << 20)
    #expect(log.droppedCount == dropped)
    log.write(LogEvent(.info, "again"))
    #expect(await pipe.text(until: "again").contains("again"))
  }

  @Test func `a reader that is gone stalls nobody`() async throws {
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    close(ends[0])
    let log = Log(format: .text, level: .info, descriptor: ends[1])
    for index in 0..<100 {
      log.write(LogEvent(.info, "event-\(index)"))
      if index == 0 { log.flush(milliseconds: 2_000) }
    }
    log.flush(milliseconds: 2_000)
    #expect(log.droppedCount == 99)
    close(ends[1])
  }

  @Test func `flushing has a bound`() throws {
    let pipe = try Pipe()
    let log = Log(format: .json, level: .info, descriptor: pipe.write)
    log.submit(line(String(repeating: "x", count: 1 << 20)))
    let begin = ContinuousClock.now
    log.flush(milliseconds: 50)
    #expect(ContinuousClock.now - begin < .seconds(2))
    // Whoever waits for the queue of the log must not wait for ever: the pipe is emptied.
    var buffer = [UInt8](repeating: 0, count: 65_536)
    for _ in 0..<2_000 where Glibc.read(pipe.read, &buffer, buffer.count) <= 0 { usleep(500) }
  }
}
