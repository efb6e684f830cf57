/// The names by which the injected script and the proxy know each other's messages. None of them ever reaches an origin.
public enum HookNames {
  /// What a body is (``EnvelopeMeta``); base64url of JSON.
  public static let meta = "x-pb-m"
  /// The bytes of a body, or of a part of it; base64url.
  public static let data = "x-pb-d"
  /// Of an upload: the identifier that the request will carry.
  public static let identifier = "x-pb-id"
  /// Of an upload: which part this is, such as `3/17`, counted from 0.
  public static let number = "x-pb-n"
  /// Of an upload: how many bytes this part has.
  public static let size = "x-pb-s"
  /// All of them.
  public static let fields = [meta, data, identifier, number, size]

  /// Paths of hooked hosts that the proxy answers itself.
  public static let pathPrefix = "/.well-known/pb/"
  /// Where parts of bodies are sent.
  public static let uploadPath = "/.well-known/pb/u"
  /// What stands before the identifier in a member of Accept.
  public static let acceptPrefix = "application/x-pb."
  /// The query parameter that holds the identifier of a form's body.
  public static let parameter = "__pb"
}
