/// An answer of the site that devices reach through the proxy as `pinwarden.internal`.
public struct InternalAnswer: Sendable {
  public struct Field: Sendable, Equatable {
    public let name: String
    public let value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  public var status: Int
  /// nil: there is no body.
  public var contentType: String?
  /// Offered as a download under this name; nil: shown.
  public var fileName: String?
  /// Further header fields.
  public var fields: [Field] = []
  public var body: [UInt8]

  public init(status: Int, contentType: String?, fileName: String? = nil, fields: [Field] = [], body: [UInt8]) {
    self.status = status
    self.contentType = contentType
    self.fileName = fileName
    self.fields = fields
    self.body = body
  }

  /// All header fields but those that frame the message. Nothing of the site is kept by caches: a device that changes its settings asks
  /// again and must see what is.
  public var allFields: [Field] {
    var all: [Field] = []
    if let contentType { all.append(Field("Content-Type", contentType)) }
    all.append(Field("Cache-Control", "no-store"))
    if let fileName { all.append(Field("Content-Disposition", "attachment; filename=\"\(fileName)\"")) }
    return all + fields
  }
}

/// How the data path sees the site behind `pinwarden.internal`. Implementations answer from memory and at once, since they are
/// called on a loop.
public protocol InternalSite: Sendable {
  func answer(_ request: InternalRequest) -> InternalAnswer

  /// A device did not take our certificate for the site itself, which it may only refuse for want of trust in our authority, or
  /// because of its clock.
  /// - Parameters:
  ///   - client: the address of the device, without a port; empty on a socket of the file system.
  ///   - detail: a clause that says how it refused.
  func certificateRefused(client: String, lane: String, detail: String)
}
