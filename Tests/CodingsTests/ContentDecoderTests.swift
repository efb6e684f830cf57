import Bytes
import Codings
import Testing

/// Text that compresses, with enough variety to fill several blocks.
private let sample: [UInt8] = (0..<4_000).flatMap { Array("line \($0) of \($0 % 7) <p>ä</p>\n".utf8) }

private func coded(_ bytes: [UInt8], _ coding: ContentCoding) throws -> [UInt8] {
  let encoder = try ContentEncoder(coding)
  let queue = ByteQueue()
  bytes.withUnsafeBytes { encoder.encode($0, into: queue) }
  encoder.finish(into: queue)
  return Array(queue.bytes)
}

/// Decodes in pieces of `size` bytes, with at most `limit` bytes a call.
private func decoded(
  _ bytes: [UInt8], _ coding: ContentCoding, size: Int, limit: Int = 1 << 20
) throws -> (bytes: [UInt8], isComplete: Bool) {
  let decoder = try ContentDecoder(coding)
  let input = ByteQueue()
  let output = ByteQueue()
  var rest = bytes[...]
  while !rest.isEmpty {
    input.append(Array(rest.prefix(size)))
    rest = rest.dropFirst(size)
    while try decoder.decode(input, into: output, limit: limit) == .outputFull {}
    #expect(input.isEmpty)
  }
  return (Array(output.bytes), decoder.isComplete)
}

@Suite struct ContentDecoderTests {
  @Test(arguments: ContentCoding.allCases, [1, 7, 1 << 20])
  func whatWasCodedIsReadAgain(coding: ContentCoding, size: Int) throws {
    let result = try decoded(coded(sample, coding), coding, size: size)
    #expect(result.bytes == sample)
    #expect(result.isComplete)
  }

  @Test(arguments: ContentCoding.allCases)
  func aShortBodyIsReadAtEverySplit(coding: ContentCoding) throws {
    let bytes = try coded(Array("<!doctype html><head>".utf8), coding)
    for split in 0...bytes.count {
      let decoder = try ContentDecoder(coding)
      let input = ByteQueue()
      let output = ByteQueue()
      for part in [bytes[..<split], bytes[split...]] {
        input.append(Array(part))
        #expect(try decoder.decode(input, into: output, limit: 1_000) == .needsInput)
      }
      #expect(Array(output.bytes) == Array("<!doctype html><head>".utf8))
      #expect(decoder.isComplete)
    }
  }

  @Test(arguments: ContentCoding.allCases)
  func aCallWritesNoMoreThanItMay(coding: ContentCoding) throws {
    let bomb = try coded([UInt8](repeating: 0, count: 8 << 20), coding)
    let decoder = try ContentDecoder(coding)
    let input = ByteQueue()
    let output = ByteQueue()
    input.append(bomb)
    var total = 0
    while try decoder.decode(input, into: output, limit: 10_000) == .outputFull {
      #expect(output.count == 10_000)
      total += output.count
      output.removeAll()
    }
    #expect(total + output.count == 8 << 20)
    #expect(decoder.isComplete)
  }

  @Test(arguments: ContentCoding.allCases)
  func aCutBodyIsNotComplete(coding: ContentCoding) throws {
    let bytes = try coded(sample, coding)
    let result = try decoded(Array(bytes.dropLast(9)), coding, size: 100)
    #expect(!result.isComplete)
    #expect(sample.starts(with: result.bytes))
  }

  @Test(arguments: ContentCoding.allCases)
  func anEmptyBodyIsComplete(coding: ContentCoding) throws {
    #expect(try ContentDecoder(coding).isComplete)
    #expect(try decoded(coded([], coding), coding, size: 1).isComplete)
  }

  @Test(arguments: ContentCoding.allCases)
  func whatIsNoCodedBodyIsRefused(coding: ContentCoding) {
    #expect(throws: CodingFault.corrupt(coding)) {
      try decoded([UInt8](repeating: 0xFF, count: 300), coding, size: 300)
    }
  }

  @Test func gzipMayHaveSeveralMembers() throws {
    let bytes = try coded(Array("<he".utf8), .gzip) + coded(Array("ad>".utf8), .gzip)
    for size in [1, 5, 1_000] {
      let result = try decoded(bytes, .gzip, size: size)
      #expect(result.bytes == Array("<head>".utf8))
      #expect(result.isComplete)
    }
  }

  @Test(arguments: [[UInt8](repeating: 0, count: 40), [0x1F, 0x8B, 0xFF, 0, 0, 0]])
  func whatFollowsTheLastMemberIsDropped(rest: [UInt8]) throws {
    for size in [1, 1_000] {
      let result = try decoded(coded(Array("page".utf8), .gzip) + rest, .gzip, size: size)
      #expect(result.bytes == Array("page".utf8))
      #expect(result.isComplete)
    }
  }

  @Test func aRawStreamIsReadAsDeflate() throws {
    // A zlib stream is a raw one with two bytes before it and four behind.
    let raw = Array(try coded(sample, .deflate).dropFirst(2).dropLast(4))
    for size in [1, 3, 1 << 20] {
      let result = try decoded(raw, .deflate, size: size)
      #expect(result.bytes == sample)
      #expect(result.isComplete)
    }
  }

  @Test(arguments: ContentCoding.allCases)
  func whatWasFlushedCanBeRead(coding: ContentCoding) throws {
    let encoder = try ContentEncoder(coding)
    let decoder = try ContentDecoder(coding)
    let wire = ByteQueue()
    let output = ByteQueue()
    for word in ["first ", "second ", "third"] {
      Array(word.utf8).withUnsafeBytes { encoder.encode($0, into: wire) }
      encoder.flush(into: wire)
      #expect(try decoder.decode(wire, into: output, limit: 1_000) == .needsInput)
      #expect(String(decoding: output.bytes, as: UTF8.self).hasSuffix(word))
    }
    #expect(!decoder.isComplete)
  }
}
