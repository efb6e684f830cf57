import HTTP

/// One request to a hooked host: what it asks for, and what is done with its answer.
public struct InjectionRequest: Sendable {
  /// nil: the answer stays as it is.
  public let kind: InjectionKind?
  let script: InjectedScript
  let uploadURL: String
  /// The client can read gzip.
  let acceptsGzip: Bool

  /// - Parameters:
  ///   - head: as the client sent it.
  ///   - origin: `https://host[:port]` of the request.
  public init(_ head: RequestHead, scripts: InjectedScripts, origin: String) {
    kind = InjectionKind(head)
    script = kind == .worker ? scripts.workers : scripts.documents
    uploadURL = origin + HookNames.uploadPath
    acceptsGzip = head.fields.values(.acceptEncoding).flatMap { $0.split(separator: ",") }.contains { member in
      let words = member.lowercased().split { $0 == ";" || $0 == " " || $0 == "\t" }
      return words.first == "gzip" && !words.contains { $0 == "q=0" || $0 == "q=0.0" }
    }
  }

  /// The head as the origin gets it: it is asked only for what can be changed, and never about tags that are not its own.
  public func adapt(_ head: RequestHead) -> RequestHead {
    guard kind != nil || head.fields.contains(.ifNoneMatch) else { return head }
    var head = head
    adaptConditions(&head.fields)
    guard kind != nil else { return head }
    // What they are held against is the origin's body, which the client does not have.
    for name in [FieldName.ifModifiedSince, .ifUnmodifiedSince, .ifRange, .range] { head.fields.remove(name) }
    limitCodings(&head.fields)
    return head
  }

  /// Of the tags that the client has, the origin sees those that are its own under this version of the script.
  private func adaptConditions(_ fields: inout HeaderList) {
    let values = fields.values(.ifNoneMatch)
    guard !values.isEmpty else { return }
    let members = values.flatMap { AdaptedTag.members(of: $0) }
    let kept = members.compactMap { member -> String? in
      guard let tag = AdaptedTag(reading: member) else { return kind == nil ? String(member) : nil }
      return kind != nil && tag.version == script.version ? tag.original : nil
    }
    guard kept != members.map({ String($0) }) else { return }
    if kept.isEmpty {
      fields.remove(.ifNoneMatch)
    } else {
      fields.replace(.ifNoneMatch, with: kept.joined(separator: ", "))
    }
  }

  /// Only what can be undone here.
  private func limitCodings(_ fields: inout HeaderList) {
    guard fields.contains(.acceptEncoding) else { return }
    let members = fields.values(.acceptEncoding).flatMap { $0.split(separator: ",") }.map { String($0.trimmed) }
    let kept = members.filter { member in
      ["gzip", "x-gzip", "deflate", "br", "zstd", "identity"].contains(
        member.prefix { $0 != ";" && $0 != " " }.lowercased())
    }
    guard kept != members else { return }
    fields.replace(.acceptEncoding, with: kept.isEmpty ? "identity" : kept.joined(separator: ", "))
  }
}
