import Foundation
import Policy

/// `pin-set`.
extension NetworkSecurityConfigReader {
  mutating func pins(_ element: MarkupElement) -> NetworkSecurityConfig.Pins {
    var pins: Set<Pin> = []
    for child in element.children {
      guard child.name == "pin" else {
        skip(child)
        continue
      }
      if let pin = pin(child) { pins.insert(pin) }
    }
    let expires = element.attributes["expiration"].flatMap { expiry($0, element) }
    if let expires, expires < now {
      report(.warning, element, "the pins have expired, so they are not looked at")
    } else if pins.isEmpty {
      report(.warning, element, "there is no pin, so nothing is pinned")
    } else if pins.count == 1 {
      report(.note, element, "there is one pin and no backup: a new key at the origin locks the application out")
    }
    return NetworkSecurityConfig.Pins(pins, expires: expires)
  }

  private mutating func pin(_ element: MarkupElement) -> Pin? {
    guard let algorithm = element.attributes["digest"], algorithm == "SHA-256" else {
      let found = element.attributes["digest"].map { "`\($0.prefix(40))`" } ?? "nothing"
      return reject(element, "digest=\"SHA-256\" is expected, found \(found)")
    }
    let text = element.trimmedText
    return Pin(base64: text) ?? reject(element, "`\(text.prefix(100))` is not the base64 of 32 bytes")
  }

  private mutating func expiry(_ text: String, _ element: MarkupElement) -> Int64? {
    let numbers = text.split(separator: "-", omittingEmptySubsequences: false).map { part in
      (1...4).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
    }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    guard numbers.count == 3, let year = numbers[0], let month = numbers[1], let day = numbers[2],
      case let components = DateComponents(calendar: calendar, timeZone: timeZone, year: year, month: month, day: day),
      components.isValidDate, let date = calendar.date(from: components)
    else { return reject(element, "expiration=\"\(text.prefix(40))\" is no day such as 2030-01-31") }
    return Int64(calendar.startOfDay(for: date).timeIntervalSince1970)
  }
}
