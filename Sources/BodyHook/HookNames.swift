/// The names by which the injected script and the proxy know each other's messages. None of them ever reaches an origin.
public enum HookNames {
  /// What a body is: method, content type, length, digest; base64url of JSON.
  public static let meta = "x-pb-m"
  /// The bytes of a body, or of a part of it; base64url.
  public static let data = "x-pb-d"
}
