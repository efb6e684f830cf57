import Bytes
import Foundation
import HTTP
import Names
import Records

/// The origins that are passed on unseen: a JSON array of `scheme://host[:port]`.
extension Router {
  private static let originLimit = 10_000

  func whitelist(_ request: ConsoleRequest) -> Outcome {
    guard request.method == .put else {
      return .work { [control] in .json(Self.document(control.whitelist())) }
    }
    return .task { [control, log] in
      do throws(ControlFault) {
        try await control.replaceWhitelist(try Self.origins(request.body))
        log.write(LogEvent(.info, "whitelist", [("client", .text("\(request.client)"))]))
        return .json(Self.document(control.whitelist()))
      } catch {
        return .problem(error)
      }
    }
  }

  static func document(_ origins: [WebOrigin]) -> [UInt8] {
    let out = ByteQueue()
    var json = JSONText(into: out)
    json.beginArray()
    for origin in origins { json.string(nil, "\(origin)") }
    json.endArray()
    return Array(out.bytes)
  }

  /// Reads the array as the configuration reads its own; an origin that is given twice counts once.
  static func origins(_ body: [UInt8]) throws(ControlFault) -> [WebOrigin] {
    guard let elements = (try? JSONSerialization.jsonObject(with: Data(body))) as? [Any] else {
      throw ControlFault(.invalid, "the body must be a JSON array of origins such as [\"https://a.test\"]")
    }
    guard elements.count <= originLimit else {
      throw ControlFault(.invalid, "the array has \(elements.count) origins; \(originLimit) are allowed")
    }
    var origins: [WebOrigin] = []
    var known: Set<WebOrigin> = []
    for (index, element) in elements.enumerated() {
      let origin = try origin(element, at: index)
      if known.insert(origin).inserted { origins.append(origin) }
    }
    return origins
  }

  private static func origin(_ element: Any, at index: Int) throws(ControlFault) -> WebOrigin {
    guard let text = element as? String else {
      throw ControlFault(.invalid, "[\(index)] is no string; an origin such as \"https://a.test\" is expected")
    }
    do throws(NameFault) {
      return try WebOrigin(text)
    } catch {
      throw ControlFault(
        .invalid,
        "[\(index)] `\(text.prefix(100))` is no origin such as \"https://a.test\" or \"https://a.test:8443\": \(error)")
    }
  }
}
