import Bytes
import Testing

@Suite("ByteQueue")
struct ByteQueueTests {
  @Test("keeps the order over growth, consumption and compaction")
  func order() {
    let queue = ByteQueue()
    var expected: [UInt8] = []
    var next: UInt8 = 0
    for round in 0..<2_000 {
      let piece = (0..<(round * 7 % 613)).map { _ -> UInt8 in
        next &+= 1
        return next
      }
      queue.append(piece)
      expected += piece
      let taken = min(expected.count, round * 5 % 431)
      #expect(Array(queue.bytes.prefix(taken)) == Array(expected.prefix(taken)))
      queue.consume(taken)
      expected.removeFirst(taken)
      #expect(queue.count == expected.count)
    }
    #expect(Array(queue.bytes) == expected)
  }

  @Test("consuming more than there is empties it, looking behind the end gives nil")
  func bounds() {
    let queue = ByteQueue()
    queue.append("abc")
    #expect(queue.byte(at: 2) == UInt8(ascii: "c"))
    #expect(queue.byte(at: 3) == nil)
    #expect(queue.byte(at: -1) == nil)
    queue.consume(10)
    #expect(queue.isEmpty)
    queue.releaseIfEmpty()
    #expect(queue.bytes.isEmpty)
    queue.append(UInt8(7))
    #expect(Array(queue.bytes) == [7])
  }

  @Test("moves bytes to another queue")
  func moves() {
    let one = ByteQueue()
    let two = ByteQueue()
    one.append("hello world")
    one.move(5, to: two)
    one.move(100, to: two)
    #expect(one.isEmpty)
    #expect(String(decoding: two.bytes, as: UTF8.self) == "hello world")
  }
}
