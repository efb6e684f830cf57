import HTTP

/// The fields by which a browser lets a page's script go on (Fetch, "CORS protocol").
public enum CrossOriginAnswer {
  /// Of an answer to the script's own messages. A page in a sandbox has the origin `null`.
  public static func fields(for request: RequestHead) -> HeaderList {
    var fields = HeaderList()
    fields.append(name: "Cache-Control", value: "no-store")
    guard let origin = request.fields.first(.origin) else { return fields }
    fields.append(name: "Access-Control-Allow-Origin", value: origin)
    fields.append(name: "Access-Control-Allow-Credentials", value: "true")
    fields.append(.vary, "Origin")
    return fields
  }

  /// Of an answer to a preflight that concerns the script's fields alone.
  public static func preflight(for request: RequestHead, allowing names: [String]) -> HeaderList {
    var fields = fields(for: request)
    fields.append(
      name: "Access-Control-Allow-Methods",
      value: request.fields.first(named: "access-control-request-method") ?? "POST")
    fields.append(name: "Access-Control-Allow-Headers", value: names.joined(separator: ", "))
    fields.append(name: "Access-Control-Max-Age", value: "600")
    return fields
  }
}
