import Bytes

/// Puts a script into the script of a worker that comes in pieces: before its first statement, but behind its directives, since
/// `'use strict'` means something only at the beginning (ECMAScript, section 11.2.1).
///
/// The script is inserted without a line break, so that the lines keep their numbers. It depends on nothing but the versions of both
/// scripts: a service worker whose bytes change is installed anew. Comments and blanks pass at once; a string that may be a directive
/// waits until what follows tells.
struct WorkerInserter {
  private enum Stage {
    /// The first bytes may yet be a byte order mark or `#!`.
    case beginning
    /// Before a statement, or a directive.
    case between
    case slash
    case comment(Comment)
    case string(UInt8)
    /// Behind a backslash.
    case escape(UInt8)
    /// Behind a string: a line break may end it as a statement.
    case behind(hasBreak: Bool)
    case slashBehind(hasBreak: Bool)
    case commentBehind(Comment, hasBreak: Bool)
    case done
  }

  private enum Comment {
    case line
    case block
    case blockStar
  }

  private let script: InjectedScript
  private var stage = Stage.beginning
  private let held = ByteQueue()

  /// A longer string, or comment behind one, is taken for a statement.
  private static let heldLimit = 64 << 10
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  init(script: InjectedScript) {
    self.script = script
  }

  mutating func take(_ bytes: UnsafeRawBufferPointer, into output: ByteQueue) {
    var index = 0
    while index < bytes.count {
      if case .done = stage {
        return output.append(UnsafeRawBufferPointer(rebasing: bytes[index...]))
      }
      take(bytes[index], output)
      index += 1
    }
  }

  mutating func finish(into output: ByteQueue) {
    switch stage {
    case .done: return
    case .beginning, .between: insert(output)
    case .comment(.line), .commentBehind(.line, _):
      held.append(0x0A)
      pass(output)
      insert(output)
    case .behind:
      pass(output)
      insert(output)
    case .slash, .string, .escape, .slashBehind, .comment, .commentBehind: insert(output)
    }
    pass(output)
  }

  private mutating func take(_ byte: UInt8, _ output: ByteQueue) {
    if case .between = stage, !Self.mayBeginPrologue(byte) {
      insert(output)
      return output.append(byte)
    }
    held.append(byte)
    switch stage {
    case .beginning: begin(output)
    case .between: between(byte, output)
    case .slash: slash(byte, output)
    case .comment(let comment): inside(comment, byte, output)
    case .string(let quote): string(byte, quote, output)
    case .escape(let quote): stage = .string(quote)
    case .behind(let hasBreak): behind(byte, hasBreak, output)
    case .slashBehind(let hasBreak): slashBehind(byte, hasBreak, output)
    case .commentBehind(let comment, let hasBreak): insideBehind(comment, byte, hasBreak)
    case .done: pass(output)
    }
    if held.count > Self.heldLimit { giveUp(output) }
  }

  private mutating func begin(_ output: ByteQueue) {
    let bytes = Array(held.bytes)
    if bytes == Self.mark {
      stage = .between
      return pass(output)
    }
    if bytes == Array("#!".utf8) {
      stage = .comment(.line)
      return pass(output)
    }
    if Self.mark.starts(with: bytes) || bytes == Array("#".utf8) { return }
    stage = .between
    held.removeAll()
    for byte in bytes {
      if case .done = stage { output.append(byte) } else { take(byte, output) }
    }
  }

  // MARK: before a statement

  private static func mayBeginPrologue(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09...0x0D, 0x20, UInt8(ascii: "/"), UInt8(ascii: "'"), UInt8(ascii: "\""): true
    default: false
    }
  }

  private mutating func between(_ byte: UInt8, _ output: ByteQueue) {
    switch byte {
    case UInt8(ascii: "/"): stage = .slash
    case UInt8(ascii: "'"), UInt8(ascii: "\""): stage = .string(byte)
    default: pass(output)
    }
  }

  private mutating func slash(_ byte: UInt8, _ output: ByteQueue) {
    guard let comment = Self.comment(byte) else { return giveUp(output) }
    stage = .comment(comment)
    pass(output)
  }

  private mutating func inside(_ comment: Comment, _ byte: UInt8, _ output: ByteQueue) {
    stage = Self.next(comment, byte).map { .comment($0) } ?? .between
    pass(output)
  }

  // MARK: comments

  private static func comment(_ byte: UInt8) -> Comment? {
    switch byte {
    case UInt8(ascii: "/"): .line
    case UInt8(ascii: "*"): .block
    default: nil
    }
  }

  /// nil: the comment ends with the byte.
  private static func next(_ comment: Comment, _ byte: UInt8) -> Comment? {
    switch (comment, byte) {
    case (.line, 0x0A), (.line, 0x0D), (.blockStar, UInt8(ascii: "/")): nil
    case (.line, _): .line
    case (_, UInt8(ascii: "*")): .blockStar
    default: .block
    }
  }

  // MARK: directives

  private mutating func string(_ byte: UInt8, _ quote: UInt8, _ output: ByteQueue) {
    switch byte {
    case quote: stage = .behind(hasBreak: false)
    case UInt8(ascii: "\\"): stage = .escape(quote)
    case 0x0A, 0x0D: giveUp(output)
    default: break
    }
  }

  private mutating func behind(_ byte: UInt8, _ hasBreak: Bool, _ output: ByteQueue) {
    switch byte {
    case 0x0A, 0x0D: stage = .behind(hasBreak: true)
    case 0x09, 0x0B, 0x0C, 0x20: break
    case UInt8(ascii: ";"):
      stage = .between
      pass(output)
    case UInt8(ascii: "/"): stage = .slashBehind(hasBreak: hasBreak)
    case _ where hasBreak && Self.mayBeginStatement(byte):
      held.dropLast()
      pass(output)
      stage = .between
      take(byte, output)
    default: giveUp(output)
    }
  }

  private mutating func slashBehind(_ byte: UInt8, _ hasBreak: Bool, _ output: ByteQueue) {
    guard let comment = Self.comment(byte) else { return giveUp(output) }
    stage = .commentBehind(comment, hasBreak: hasBreak)
  }

  private mutating func insideBehind(_ comment: Comment, _ byte: UInt8, _ hasBreak: Bool) {
    let hasBreak = hasBreak || byte == 0x0A || byte == 0x0D
    stage = Self.next(comment, byte).map { .commentBehind($0, hasBreak: hasBreak) } ?? .behind(hasBreak: hasBreak)
  }

  /// Whether a statement may begin so on a line of its own; operators go on with the line before (ECMAScript, section 12.10).
  private static func mayBeginStatement(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...0xFF:
      true
    default: "_$\\'\"{}@#~".utf8.contains(byte)
    }
  }

  // MARK: the place

  /// The string that waits is part of a statement.
  private mutating func giveUp(_ output: ByteQueue) {
    insert(output)
    pass(output)
  }

  /// The semicolons keep the last directive and the first statement apart from it.
  private mutating func insert(_ output: ByteQueue) {
    stage = .done
    output.append(UInt8(ascii: ";"))
    output.append(script.bytes)
    output.append(UInt8(ascii: ";"))
  }

  private func pass(_ output: ByteQueue) {
    held.move(held.count, to: output)
  }
}

extension ByteQueue {
  /// Takes the last byte away.
  fileprivate func dropLast() {
    let kept = Array(bytes.dropLast())
    removeAll()
    append(kept)
  }
}
