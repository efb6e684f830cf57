import BodyHook
import Configuration
import TLS

extension InjectedScripts {
  /// The script for the hosts of `bodies.hook`; nil: there are none.
  init?(_ configuration: Configuration) {
    let hook = configuration.bodies.hook
    guard !hook.hosts.isEmpty else { return nil }
    let script = HookScript(hosts: hook.hosts, limit: hook.limit, headLimit: configuration.limits.head)
    guard let documents = InjectedScript(script.document), let workers = InjectedScript(script.worker) else {
      return nil
    }
    self.init(documents: documents, workers: workers)
  }
}

extension InjectedScript {
  fileprivate init?(_ bytes: [UInt8]) {
    self.init(bytes: bytes, digest: Digest.sha256(bytes))
  }
}
