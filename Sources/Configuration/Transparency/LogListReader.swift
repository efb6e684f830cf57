import Policy
import TLS

/// What came of reading a log list.
struct LogListDocument {
  /// One thing to say about the file.
  struct Fault: Equatable {
    let level: Finding.Level
    /// Of the place in the text; nil: the file as a whole.
    let offset: Int?
    let message: String
  }

  /// nil exactly when there is an error among the faults.
  let list: TransparencyLogList?
  /// The keys of its logs, by their ids.
  let keys: [[UInt8]: TransparencyLogKey]
  let faults: [Fault]
}

/// Reads a list of logs in version 3 of the format that Chromium publishes (`log_list.json`, `all_logs_list.json`) and that Apple's list
/// follows. Members that are not needed are passed over, as the format grows.
///
/// A log that cannot be used is left out with a warning: what it signed will not count.
struct LogListReader {
  /// The full list of all logs that ever were has about a megabyte.
  static let maximumByteCount = 8 << 20
  /// There were some 200 logs in the first ten years.
  private static let maximumLogCount = 5_000
  private static let maximumFaultCount = 50

  private var logs: [TransparencyLog] = []
  private var keys: [[UInt8]: TransparencyLogKey] = [:]
  private var faults: [LogListDocument.Fault] = []
  private var omittedCount = 0

  private init() {}

  static func read(_ bytes: [UInt8]) -> LogListDocument {
    var reader = LogListReader()
    let published = reader.readDocument(bytes)
    reader.finish()
    guard let published, !reader.faults.contains(where: { $0.level == .error }) else {
      return LogListDocument(list: nil, keys: [:], faults: reader.faults)
    }
    return LogListDocument(
      list: TransparencyLogList(reader.logs, published: published), keys: reader.keys, faults: reader.faults)
  }

  /// - Returns: when the list was published, in seconds since 1970.
  private mutating func readDocument(_ bytes: [UInt8]) -> Int64? {
    guard bytes.count <= Self.maximumByteCount else {
      return fail("a log list of more than \(Self.maximumByteCount >> 20) MiB is not read")
    }
    let document = JSON5Reader.read(bytes)
    if let fault = document.faults.first { return fail("this is no JSON: \(fault.message)", at: fault.offset) }
    guard let root = document.root, case .object = root.value else {
      return fail("the top of a log list is an object")
    }
    guard case .array(let operators)? = root["operators"]?.value else {
      let isOld = root["logs"] != nil
      return fail(
        "there is no list `operators`; \(isOld ? "this is version 1 of the format, and" : "a log list in") "
          + "version 3 is needed")
    }
    guard let moment = root["log_list_timestamp"] else {
      return fail(
        "there is no `log_list_timestamp`, so that nobody can tell how old the list is; version 3 of the format has it")
    }
    guard let published = moment.time else {
      return fail("`log_list_timestamp` is no time such as \"2026-01-31T12:00:00Z\"", at: moment.offset)
    }
    for entry in operators { readOperator(entry) }
    if !logs.contains(where: \.isApproved) { return fail("no log of the list is usable, qualified or read-only") }
    return Int64(published / 1_000)
  }

  private mutating func readOperator(_ node: JSON5Node) {
    guard let name = node["name"]?.text, !name.isEmpty else {
      return warn("an operator without a `name`; its logs are left out", at: node)
    }
    for (key, interface) in [("logs", TransparencyLog.Interface.rfc6962), ("tiled_logs", .tiled)] {
      guard case .array(let entries)? = node[key]?.value else { continue }
      for entry in entries { readLog(entry, of: name, interface) }
    }
  }

  private mutating func readLog(_ node: JSON5Node, of operatorName: String, _ interface: TransparencyLog.Interface) {
    guard logs.count < Self.maximumLogCount else { return warn("more than \(Self.maximumLogCount) logs", at: node) }
    let name = node["description"]?.text ?? "a log of \(operatorName)"
    do throws(LogFault) {
      let key = try Self.key(node)
      guard keys.updateValue(key, forKey: key.logID) == nil else {
        throw LogFault("its key is in the list twice", node)
      }
      logs.append(
        TransparencyLog(
          identifier: key.logID, description: name, operatorName: operatorName,
          formerOperators: try Self.formerOperators(node), state: try Self.state(node), interface: interface,
          interval: try Self.interval(node), isForTests: node["log_type"]?.text.map { $0 != "prod" } ?? false))
    } catch {
      warn("`\(name.prefix(80))` is left out: \(error.message)", at: error.node)
    }
  }

  // MARK: Faults

  private mutating func fail(_ message: String, at offset: Int? = nil) -> Int64? {
    faults.append(LogListDocument.Fault(level: .error, offset: offset, message: message))
    return nil
  }

  private mutating func warn(_ message: String, at node: JSON5Node) {
    guard faults.count < Self.maximumFaultCount else { return omittedCount += 1 }
    faults.append(LogListDocument.Fault(level: .warning, offset: node.offset, message: message))
  }

  private mutating func finish() {
    guard omittedCount > 0 else { return }
    faults.append(
      LogListDocument.Fault(level: .warning, offset: nil, message: "\(omittedCount) more warnings are left out"))
  }
}
