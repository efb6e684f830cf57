import Bytes
import Codings
import HTTP

/// The head of an answer that was changed.
extension InjectionRequest {
  /// Fields about bytes that the client does not get, or about parts of them. `Last-Modified` would ask for conditions that are not
  /// passed on.
  private static let aboutBytes: Set<String> = [
    "content-length", "content-md5", "digest", "repr-digest", "content-digest", "accept-ranges", "last-modified",
  ]

  /// The head of an answer into which the script is put.
  public func adapt(_ head: ResponseHead, _ plan: InjectionPlan) -> ResponseHead {
    var head = head
    head.fields = adapted(head.fields)
    if plan.decoding != plan.encoding {
      if let coding = plan.encoding {
        head.fields.replace(.contentEncoding, with: coding.rawValue)
      } else {
        head.fields.remove(.contentEncoding)
      }
    }
    return head
  }

  /// The head of a 304 for something that was changed: the client puts its fields over those that it has (RFC 9111, section 3.2).
  public func adapt(confirming head: ResponseHead) -> ResponseHead {
    var head = head
    head.fields = adapted(head.fields)
    return head
  }

  private func adapted(_ fields: HeaderList) -> HeaderList {
    let policies = PolicyAdaptation(
      hash: kind == .document ? "'sha256-\(Base64.encode(script.digest))'" : nil, uploadURL: uploadURL)
    var result = HeaderList()
    fields.forEach { _, name, value in
      switch String(decoding: name, as: UTF8.self).lowercased() {
      case let name where Self.aboutBytes.contains(name): return
      case "etag":
        let tag = AdaptedTag(version: script.version, original: String(decoding: value, as: UTF8.self))
        if let text = tag.text { result.append(.etag, text) }
      case "content-security-policy", "content-security-policy-report-only":
        let text = policies.adapt(fieldValue: String(decoding: value, as: UTF8.self))
        result.append(name: String(decoding: name, as: UTF8.self), value: text)
      default: result.append(name: name, value: value)
      }
    }
    // The same URL has other bytes for a script that fetches it.
    result.append(.vary, "Sec-Fetch-Dest")
    return result
  }
}
