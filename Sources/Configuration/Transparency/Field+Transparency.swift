import Policy
import TLS

extension Field {
  /// `ct`, with the log list that it names.
  func transparency() -> TransparencySettings? {
    section { section in
      var settings = TransparencySettings()
      section.read("maxAge", into: &settings.maximumAge) { $0.duration() }
      section.field("logList").map { $0.logList(into: &settings) }
      return settings
    }
  }

  private func logList(into settings: inout TransparencySettings) {
    settings.namesList = true
    guard let (bytes, path) = contents(limit: LogListReader.maximumByteCount) else { return }
    let document = LogListReader.read(bytes)
    let source = SourceText(name: path, bytes: bytes)
    for fault in document.faults {
      let place = fault.offset.map(source.position)
      reading.add(
        Finding(
          level: fault.level, file: path, line: place?.line, column: place?.column, keyPath: self.path.description,
          message: fault.message))
    }
    guard let list = document.list else { return }
    settings.logList = list
    settings.keys = document.keys
    warnOfAge(list, settings.maximumAgeSeconds)
  }

  /// A list that is too old refuses every origin that it would have to vouch for.
  private func warnOfAge(_ list: TransparencyLogList, _ maximumAge: Int64) {
    let day: Int64 = 86_400
    let age = reading.now - list.published
    if age > maximumAge {
      report(
        .warning,
        "the list is \(age / day) days old, older than `ct.maxAge` of \(maximumAge / day) days: policies that require "
          + "Certificate Transparency refuse every origin; fetch a new list")
    } else if age > maximumAge - min(14 * day, maximumAge / 5) {
      report(
        .warning,
        "the list is \(age / day) days old and counts for \((maximumAge - age) / day) days more; fetch a new one")
    } else if age < -day {
      report(.warning, "the list was published in the future; look at this machine's clock")
    }
  }
}
