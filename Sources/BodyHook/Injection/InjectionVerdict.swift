/// What is done with an answer of a hooked host.
public enum InjectionVerdict: Sendable {
  /// It gets the script.
  case inject(InjectionPlan)
  /// It says that what the client has is still good: its fields are adapted, as those of what the client has were.
  case confirm
  /// It stays as it is, since it is nothing that gets the script.
  case pass
  /// It is a page or a worker, and stays without the script; the clause says why.
  case skip(String)
}
