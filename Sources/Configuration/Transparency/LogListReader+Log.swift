import Foundation
import Policy
import TLS

/// Why one log of a list cannot be used, and where that stands.
struct LogFault: Error {
  let message: String
  let node: JSON5Node

  init(_ message: String, _ node: JSON5Node) {
    self.message = message
    self.node = node
  }
}

/// The members of one log.
extension LogListReader {
  /// The key, whose digest must be the log's id.
  static func key(_ node: JSON5Node) throws(LogFault) -> TransparencyLogKey {
    guard let field = node["key"], let spki = field.base64 else { throw LogFault("it has no `key` in base64", node) }
    let key: TransparencyLogKey
    do throws(TLSFileFault) {
      key = try TransparencyLogKey(spki: spki)
    } catch {
      throw LogFault("its `key` cannot be used: \(error)", field)
    }
    guard let identifier = node["log_id"] else { return key }
    guard identifier.base64 == key.logID else {
      throw LogFault("its `log_id` is not the digest of its key", identifier)
    }
    return key
  }

  /// A log without a state is one that nobody has approved.
  static func state(_ node: JSON5Node) throws(LogFault) -> TransparencyLog.State {
    guard let field = node["state"] else { return .pending }
    guard case .object(let members) = field.value, members.count == 1, let member = members.first else {
      throw LogFault("its `state` is no object with one member", field)
    }
    switch member.key {
    case "pending": return .pending
    case "qualified": return .qualified
    case "usable": return .usable
    case "rejected": return .rejected
    case "readonly": return .readOnly(since: try time("timestamp", of: member.value))
    case "retired": return .retired(since: try time("timestamp", of: member.value))
    default: throw LogFault("its state `\(member.key.prefix(40))` is not known", member.value)
    }
  }

  /// Seconds since 1970; nil: certificates of any expiry.
  static func interval(_ node: JSON5Node) throws(LogFault) -> Range<Int64>? {
    guard let field = node["temporal_interval"] else { return nil }
    let begin = try seconds("start_inclusive", of: field)
    let end = try seconds("end_exclusive", of: field)
    guard begin < end else { throw LogFault("its `temporal_interval` ends before it begins", field) }
    return begin..<end
  }

  static func formerOperators(_ node: JSON5Node) throws(LogFault) -> [TransparencyLog.FormerOperator] {
    guard let field = node["previous_operators"] else { return [] }
    guard case .array(let entries) = field.value, entries.count <= 32 else {
      throw LogFault("its `previous_operators` are no short list", field)
    }
    var operators: [TransparencyLog.FormerOperator] = []
    for entry in entries {
      guard let name = entry["name"]?.text else { throw LogFault("a previous operator has no `name`", entry) }
      operators.append(TransparencyLog.FormerOperator(name: name, end: try time("end_time", of: entry)))
    }
    return operators.sorted { $0.end < $1.end }
  }

  private static func seconds(_ key: String, of node: JSON5Node) throws(LogFault) -> Int64 {
    Int64(try time(key, of: node) / 1_000)
  }

  /// Milliseconds since 1970.
  private static func time(_ key: String, of node: JSON5Node) throws(LogFault) -> UInt64 {
    guard let time = node[key]?.time else {
      throw LogFault("`\(key)` is no time such as \"2026-01-31T12:00:00Z\"", node)
    }
    return time
  }
}

extension JSON5Node {
  /// The member of an object; nil where there is none, and where it is `null`.
  subscript(key: String) -> JSON5Node? {
    guard case .object(let members) = value, let node = members.first(where: { $0.key == key })?.value else {
      return nil
    }
    if case .null = node.value { return nil }
    return node
  }

  var text: String? {
    guard case .string(let text) = value else { return nil }
    return text
  }

  /// A moment in milliseconds since 1970.
  var time: UInt64? { text.flatMap { InternetTime.milliseconds($0) } }

  /// Bytes in base64.
  var base64: [UInt8]? { text.flatMap { Data(base64Encoded: $0) }.map { Array($0) } }
}
