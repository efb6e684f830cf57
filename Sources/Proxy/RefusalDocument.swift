import Bytes
import Policy
import Records

/// The body of an answer that pinwarden gives itself (contract, section 4): a page for people, a problem document (RFC 9457) for
/// programs.
struct RefusalDocument {
  let contentType: StaticString
  let body: ByteQueue

  /// - Parameters:
  ///   - url: what was asked for; nil when the request was not understood.
  ///   - steps: the steps of the decision, in their order.
  init(_ refusal: Refusal, url: String?, steps: [TracedStep], asPage: Bool) {
    body = ByteQueue()
    if asPage {
      contentType = "text/html; charset=utf-8"
      Self.writePage(refusal, url: url, steps: steps, to: body)
    } else {
      contentType = "application/problem+json"
      Self.writeProblem(refusal, url: url, steps: steps, to: body)
    }
  }

  /// The value of `Proxy-Status` (RFC 9209): a token, the error type, and the details as a structured string, which holds
  /// printable ASCII only.
  static func proxyStatus(_ refusal: Refusal) -> String {
    let details = refusal.detail.unicodeScalars.map { scalar -> String in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case " "..."~": String(scalar)
      default: "?"
      }
    }
    return "pinwarden; error=\(refusal.proxyError.rawValue); details=\"\(details.joined())\""
  }

  private static func writeProblem(_ refusal: Refusal, url: String?, steps: [TracedStep], to out: ByteQueue) {
    var json = JSONText(into: out)
    json.beginObject()
    json.string("title", refusal.title)
    json.integer("status", refusal.status)
    json.string("detail", refusal.detail)
    if let url { json.string("instance", url) }
    if let error = refusal.error {
      json.beginObject("nsurlError")
      json.string("domain", NSURLError.domain)
      json.integer("code", error.code)
      json.string("name", error.name)
      json.endObject()
    } else {
      json.null("nsurlError")
    }
    json.string("proxyError", refusal.proxyError.rawValue)
    json.optional("decidedBy", refusal.decidedBy?.rawValue)
    json.beginArray("steps")
    for step in steps {
      json.beginObject()
      json.string("step", step.step.rawValue)
      json.string("outcome", step.outcome)
      json.string("reason", step.reason)
      json.endObject()
    }
    json.endArray()
    json.endObject()
    out.append("\n")
  }

  private static func writePage(_ refusal: Refusal, url: String?, steps: [TracedStep], to out: ByteQueue) {
    out.append(
      """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
      <title>
      """)
    escape(refusal.title, to: out)
    out.append(
      """
      </title><style>
      body{font:1rem/1.5 system-ui,sans-serif;max-width:44rem;margin:3rem auto;padding:0 1rem;color:#1c1c1e;background:#fff}
      h1{font-size:1.4rem}code,td:first-child{font-family:ui-monospace,monospace;overflow-wrap:anywhere}
      table{border-collapse:collapse;margin-top:1.5rem}td{border-top:1px solid #d1d1d6;padding:.35rem .8rem .35rem 0;vertical-align:top}
      footer{margin-top:2rem;color:#6c6c70;font-size:.85rem}
      @media(prefers-color-scheme:dark){body{color:#f2f2f7;background:#1c1c1e}td{border-color:#48484a}footer{color:#aeaeb2}}
      </style></head><body><h1>
      """)
    escape(refusal.title, to: out)
    out.append("</h1>\n<p>")
    escape(refusal.detail, to: out)
    out.append("</p>\n")
    if let url {
      out.append("<p>Asked for: <code>")
      escape(url, to: out)
      out.append("</code></p>\n")
    }
    if let error = refusal.error {
      out.append("<p>An app would get <code>\(NSURLError.domain) \(error.code)</code> (NSURLError\(error.name)).</p>\n")
    }
    if !steps.isEmpty {
      out.append("<table>\n")
      for step in steps {
        out.append("<tr><td>\(step.step.rawValue)</td><td>\(step.outcome)</td><td>")
        escape(step.reason, to: out)
        out.append("</td></tr>\n")
      }
      out.append("</table>\n")
    }
    out.append("<footer>Answered by pinwarden, not by the origin.</footer></body></html>\n")
  }

  /// Escapes for HTML text and attribute values.
  static func escape(_ text: String, to out: ByteQueue) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): out.append("&amp;")
      case UInt8(ascii: "<"): out.append("&lt;")
      case UInt8(ascii: ">"): out.append("&gt;")
      case UInt8(ascii: "\""): out.append("&quot;")
      case UInt8(ascii: "'"): out.append("&#39;")
      default: out.append(byte)
      }
    }
  }
}
