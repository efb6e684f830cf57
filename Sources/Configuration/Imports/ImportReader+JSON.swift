import Names
import Policy

/// JSON and JSON5: property lists in that form, and objects with a list of pins for each host.
extension ImportReader {
  func json(_ bytes: [UInt8]) -> [ImportedPolicy]? {
    let source = SourceText(name: settings.file, bytes: bytes)
    let document = JSON5Reader.read(bytes)
    for fault in document.faults {
      let position = source.position(of: fault.offset)
      report(.error, line: position.line, column: position.column, keyPath: fault.path.description, fault.message)
    }
    guard document.faults.isEmpty, let root = document.root else { return nil }
    guard case .object(let members) = root.value else {
      report(.error, "an object with a list of pins for each host is expected, such as { \"a.test\": [\"sha256/…\"] }")
      return nil
    }
    let keys = Set(members.map(\.key))
    if !keys.isDisjoint(with: ["TSKConfiguration", "TSKPinnedDomains", "NSAppTransportSecurity", "NSPinnedDomains"]) {
      return propertyList(PropertyValue(root))
    }
    guard expecting([.okHttp]), !refuseHosts() else { return nil }
    return pinLists(members, source)
  }

  private func pinLists(_ members: [JSON5Member], _ source: SourceText) -> [ImportedPolicy]? {
    var reader = PinLists(self)
    for member in members {
      let position = source.position(of: member.keyOffset)
      guard case .array(let elements) = member.value.value else {
        report(
          .error, line: position.line, column: position.column, keyPath: member.key,
          "a list of pins is expected, such as [\"sha256/…\"]")
        reader.hasFailed = true
        continue
      }
      var texts: [String] = []
      for element in elements {
        guard case .string(let text) = element.value else {
          let position = source.position(of: element.offset)
          report(.error, line: position.line, column: position.column, keyPath: member.key, "a pin is text in quotes")
          reader.hasFailed = true
          continue
        }
        texts.append(text)
      }
      reader.addOkHttp(pattern: member.key, pins: texts, line: position.line)
    }
    return reader.finish(.okHttp)
  }
}
