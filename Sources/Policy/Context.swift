/// Which ATS context a request has: what kind of code inside the app makes it.
///
/// Apple decides by process; a proxy by its listener and the User-Agent (spec: ATS's web content and media keys).
public enum Context: String, Sendable, Hashable, CaseIterable {
  case app, web, media
}
