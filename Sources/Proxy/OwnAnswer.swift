import Bytes
import HTTP
import Policy

/// An answer that pinwarden gives itself: a refusal, or a page of its own site.
struct OwnAnswer {
  let head: ResponseHead
  let body: ByteQueue

  init(head: ResponseHead, body: ByteQueue) {
    self.head = head
    self.body = body
  }

  /// - Parameter request: nil when not even its head was understood.
  init(_ refusal: Refusal, request: RequestHead?, url: String?, steps: [TracedStep]) {
    let accept = request?.fields.values(.accept).joined(separator: ",").lowercased() ?? ""
    let document = RefusalDocument(refusal, url: url, steps: steps, asPage: accept.contains("text/html"))
    var fields = HeaderList()
    fields.append(name: "Content-Type", value: "\(document.contentType)")
    fields.append(name: "Cache-Control", value: "no-store")
    fields.append(name: "Proxy-Status", value: RefusalDocument.proxyStatus(refusal))
    if refusal.status == 407 {
      fields.append(name: "Proxy-Authenticate", value: "Basic realm=\"pinwarden\", charset=\"UTF-8\"")
    }
    self.init(head: ResponseHead(status: refusal.status, fields: fields), body: document.body)
  }
}
