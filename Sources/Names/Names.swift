// Placeholder until the target's first file.
/// The scheme of a target.
public enum Scheme: String, Sendable, Hashable { case http, https, ws, wss }
