import Codings
import HTML
import HTTP

/// Which answers get the script.
extension InjectionRequest {
  /// - Parameters:
  ///   - head: as it came from the origin.
  ///   - sent: the head of the request as the origin got it.
  public func verdict(on head: ResponseHead, framing: BodyFraming, sent: RequestHead) -> InjectionVerdict {
    guard let kind else { return .pass }
    // Only conditions on our own tags were passed on.
    if head.status == 304 { return sent.fields.contains(.ifNoneMatch) ? .confirm : .pass }
    guard Self.hasWholeBody(head, framing), let place = place(of: head, kind) else { return .pass }
    if head.fields.containsMember(.cacheControl, "no-transform") {
      return .skip("it forbids changes (Cache-Control: no-transform)")
    }
    if kind == .document, head.fields.values(.contentSecurityPolicy).contains(where: PolicyAdaptation.forbidsScripts) {
      return .skip("its sandbox allows no scripts")
    }
    if case .page(_, let declared?) = place, declared.name == "replacement" {
      return .skip("it declares an encoding that browsers refuse to read")
    }
    let codings = head.fields.values(.contentEncoding).flatMap { $0.split(separator: ",") }.map(\.trimmed)
      .filter { !$0.isEmpty && $0.lowercased() != "identity" }
    guard let token = codings.first else {
      return .inject(InjectionPlan(script: script, place: place, uploadURL: uploadURL, decoding: nil, encoding: nil))
    }
    guard codings.count == 1, let coding = ContentCoding(token: String(token)) else {
      return .skip("its content coding is unknown here: \(codings.joined(separator: ", "))")
    }
    return .inject(
      InjectionPlan(
        script: script, place: place, uploadURL: uploadURL, decoding: coding, encoding: acceptsGzip ? .gzip : nil))
  }

  private static func hasWholeBody(_ head: ResponseHead, _ framing: BodyFraming) -> Bool {
    switch head.status {
    case 204, 205, 206, ..<200, 300..<400: return false
    default: break
    }
    guard framing != .none, framing != .length(0), !head.fields.contains(.contentRange) else { return false }
    return head.fields.first(.contentDisposition)?.lowercased().hasPrefix("attachment") != true
  }

  private func place(of head: ResponseHead, _ kind: InjectionKind) -> InjectionPlan.Place? {
    guard let type = head.fields.first(.contentType) else { return nil }
    let essence = type.prefix { $0 != ";" }.trimmed.lowercased()
    switch kind {
    case .worker:
      return Self.isJavaScript(essence) ? .worker : nil
    case .document:
      let declared = Charset(mediaType: type)
      if essence == "text/html" { return .page(.html, declared: declared) }
      return essence == "application/xhtml+xml" ? .page(.xml, declared: declared) : nil
    }
  }

  /// The essences of MIME Sniffing, section 4.6, "JavaScript MIME type".
  private static func isJavaScript(_ essence: String) -> Bool {
    let names = [
      "javascript", "ecmascript", "x-javascript", "x-ecmascript", "jscript", "livescript", "javascript1.0",
      "javascript1.1", "javascript1.2", "javascript1.3", "javascript1.4", "javascript1.5",
    ]
    let parts = essence.split(separator: "/")
    guard parts.count == 2, let type = parts.first, let subtype = parts.last, type == "text" || type == "application"
    else { return false }
    return names.contains(String(subtype))
  }
}
