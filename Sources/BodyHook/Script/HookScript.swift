import Names

/// The script that pages of hooked hosts get: it carries what they send past the protocol that strips it.
///
/// One line of ASCII without markup, so that it can stand in HTML, XHTML and in front of a worker's own script without moving a line.
/// The same configuration always makes the same bytes: pages are authorised to run it by their digest, and a service worker whose bytes
/// change is installed anew.
public struct HookScript: Sendable, Equatable {
  /// For documents.
  public let document: [UInt8]
  /// For workers of all kinds.
  public let worker: [UInt8]

  private static let shared = [
    PackageResources.settings_js, PackageResources.bytes_js, PackageResources.entries_js, PackageResources.reading_js,
    PackageResources.channels_js, PackageResources.requests_js, PackageResources.fetch_js,
  ]
  private static let ofDocuments = [PackageResources.forms_js, PackageResources.frames_js]

  /// - Parameters:
  ///   - hosts: `bodies.hook.hosts`; nothing is ever sent to others.
  ///   - limit: `bodies.hook.limit`.
  ///   - headLimit: `limits.head`, into which the fields of the largest part must fit.
  public init(hosts: [HostPattern], limit: Int, headLimit: Int) {
    let settings = Self.settings(hosts, limit: limit, piece: Self.pieceByteCount(headLimit))
    document = Self.script(Self.shared + Self.ofDocuments, settings)
    worker = Self.script(Self.shared, settings)
  }

  /// How many bytes of a body go into one field. 24 KiB pass everything that was measured; a quarter of the head is left for other fields.
  static func pieceByteCount(_ headLimit: Int) -> Int {
    // Base64 makes four bytes of three.
    max(512, min(24 << 10, headLimit / 4 * 3 / 4 * 3))
  }

  private static func script(_ parts: [[UInt8]], _ settings: String) -> [UInt8] {
    var script = Array("(function(g,P){\"use strict\";function install(g){".utf8)
    for part in parts { append(part, to: &script) }
    script += Array("}install(g);})(self,\(settings));".utf8)
    return script
  }

  /// The lines of a part without indentation and comments, joined by spaces. Comments stand on lines of their own.
  private static func append(_ part: [UInt8], to script: inout [UInt8]) {
    for line in part.split(separator: UInt8(ascii: "\n")) {
      let text = line.drop { $0 == UInt8(ascii: " ") }
      guard !text.isEmpty, !text.starts(with: "//".utf8) else { continue }
      script += text
      script.append(UInt8(ascii: " "))
    }
  }

  // MARK: settings

  private static func settings(_ hosts: [HostPattern], limit: Int, piece: Int) -> String {
    let patterns = hosts.map { pattern in
      "[\"\(kind(of: pattern))\",\"\(pattern.base?.text ?? "")\",\(pattern.port ?? 0)]"
    }
    return "{\"hosts\":[\(patterns.joined(separator: ","))],\"limit\":\(limit),\"piece\":\(piece)}"
  }

  private static func kind(of pattern: HostPattern) -> String {
    switch pattern.breadth {
    case .host: "host"
    case .oneLabelMore: "one"
    case .anyDepth: "deep"
    case .everything: "*"
    }
  }
}
