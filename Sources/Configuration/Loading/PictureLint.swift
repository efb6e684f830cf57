import Names
import Policy

/// Looks for settings of the cache of pictures that have no effect. Warnings and notes only.
struct PictureLint {
  private let settings: PictureSettings
  private let field: Field
  private let policies: [LanePolicy]

  /// - Parameter root: the whole document.
  init(_ settings: PictureSettings, root: Field, policies: [LanePolicy]) {
    self.settings = settings
    self.policies = policies
    field = root.member("pictures")
  }

  func report() {
    for pattern in settings.hosts { report(pattern) }
    if settings.hosts.isEmpty, settings.prefetch {
      field.member("prefetch").report(.warning, "nothing is loaded ahead: `pictures.hosts` names no host")
    }
    for name in settings.extensions where name.hasPrefix(".") {
      field.member("extensions").report(
        .warning, "`\(name)` never matches: extensions are written without the dot, as `\(name.dropFirst())`")
    }
    guard !settings.hosts.isEmpty else { return }
    if settings.memoryByteCount == 0, settings.diskByteCount == 0 {
      field.report(.warning, "no picture is kept: `memory` and `disk` are both 0")
    } else if settings.diskByteCount > 0, settings.diskByteCount < settings.memoryByteCount {
      field.member("disk").report(
        .note, "the disk holds less than memory, so that a part of what was in memory is lost when the daemon ends")
    }
  }

  /// Only what is intercepted passes through the cache.
  private func report(_ pattern: HostPattern) {
    guard let host = pattern.example else { return }
    let facts = RequestFacts(scheme: .https, host: host, port: pattern.port ?? 443, context: .app)
    let actions = policies.map { $0.decide(facts, tracing: .off).action }
    guard !actions.contains(.intercept) else { return }
    field.member("hosts").report(
      .warning, "pictures of `\(pattern)` are not kept: the rules intercept no connection to it")
  }
}
