/// A claim about a parser that an input has shown to be wrong.
public struct Complaint: Error, Sendable, CustomStringConvertible {
  public let description: String
}

/// Throws a complaint unless `condition` holds.
func claim(_ condition: Bool, _ text: @autoclosure () -> String) throws(Complaint) {
  guard condition else { throw Complaint(description: text()) }
}
