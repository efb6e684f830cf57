import Policy

@testable import Configuration

/// Property lists in each of their forms.
enum PropertyListsCheck {
  @Sendable static func run(_ bytes: [UInt8]) throws(Complaint) {
    guard let value = try? PropertyList.read(bytes) else { return }
    try claim(depth(of: value) <= PropertyList.maximumDepth, "nested too deep")
    _ = ATSPolicy(dictionary: value["NSAppTransportSecurity"] ?? value, os: OSVersion(major: 18, minor: 4)).lint()
  }

  private static func depth(of value: PropertyValue) -> Int {
    switch value {
    case .array(let elements): elements.reduce(0) { max($0, depth(of: $1) + 1) }
    case .dictionary(let members): members.values.reduce(0) { max($0, depth(of: $1) + 1) }
    default: 0
    }
  }
}
