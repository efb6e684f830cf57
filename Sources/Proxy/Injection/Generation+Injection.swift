import BodyHook
import TLS

extension Generation {
  /// The script in both editions; nil: it cannot stand in a page.
  static let injectedScripts: InjectedScripts? = {
    let bytes = Array(
      "self.fetch=(function(native){return function(){return native.apply(self,arguments)}})(self.fetch)".utf8)
    guard let script = InjectedScript(bytes: bytes, digest: Digest.sha256(bytes)) else { return nil }
    return InjectedScripts(documents: script, workers: script)
  }()
}
