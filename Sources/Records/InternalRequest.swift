/// A request to the site for devices, as its answers depend on it. A plain value.
public struct InternalRequest: Sendable {
  /// How the request came to the site.
  public enum Way: Sendable, Equatable {
    /// Through the proxy, in plain HTTP.
    case proxy
    /// Through the proxy, over TLS with our leaf: whoever sent it took our certificate.
    case securedProxy
    /// To a listener of the site's own, past the proxy.
    case direct
  }

  public var method = "GET"
  /// As sent, with its query.
  public var path: String
  public var way = Way.proxy
  /// `host:port` of the proxy that the device uses or should use, a URL where that is spoken to in TLS or SOCKS; empty: there is none.
  public var proxy: String
  /// The address of the device, without a port; empty on a socket of the file system.
  public var client = ""
  public var lane = "default"
  /// The values of User-Agent and Accept-Language; empty: not said.
  public var userAgent = ""
  public var languages = ""
  /// The value of the field `clockField`; empty: not said.
  public var clock = ""

  /// By this field the page tells the device's own time, in milliseconds since 1970. A field and no query, so that pages of other sites
  /// cannot tell it: browsers would ask us first (CORS), and are not allowed to.
  public static let clockField = "Pinwarden-Clock"

  public init(path: String, proxy: String) {
    self.path = path
    self.proxy = proxy
  }
}
