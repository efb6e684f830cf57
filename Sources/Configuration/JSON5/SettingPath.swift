/// The way from the root of a document to one of its values. Cheap to extend; becomes text only in a message.
indirect enum SettingPath: Sendable, CustomStringConvertible {
  case root
  case member(of: SettingPath, key: String)
  case element(of: SettingPath, index: Int)

  /// Such as `rules.hosts[2].trust` or `upstream.resolve["a.test:443"]`; empty for the root.
  var description: String {
    switch self {
    case .root: ""
    case .element(let parent, let index): "\(parent)[\(index)]"
    case .member(.root, let key) where Self.isPlain(key): key
    case .member(let parent, let key) where Self.isPlain(key): "\(parent).\(key)"
    case .member(let parent, let key): "\(parent)[\"\(key)\"]"
    }
  }

  /// The keys and indexes, outermost first; indexes as text.
  var steps: [String] {
    switch self {
    case .root: []
    case .member(let parent, let key): parent.steps + [key]
    case .element(let parent, let index): parent.steps + [String(index)]
    }
  }

  private static func isPlain(_ key: String) -> Bool {
    !key.isEmpty
      && key.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "$"):
          true
        default: byte >= 0x80
        }
      }
  }
}
