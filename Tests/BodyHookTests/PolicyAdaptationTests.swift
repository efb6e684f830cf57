import Testing

@testable import BodyHook

@Suite struct PolicyAdaptationTests {
  private static let upload = "https://a.test/.well-known/pb/u"
  private static let pages = PolicyAdaptation(hash: "'sha256-H'", uploadURL: upload)

  @Test(arguments: [
    ("script-src 'self'", "script-src 'self' 'sha256-H'"), ("script-src 'none'", "script-src 'sha256-H'"),
    ("script-src", "script-src 'sha256-H'"), ("SCRIPT-SRC 'NONE'", "script-src 'sha256-H'"),
    ("script-src 'nonce-x' 'unsafe-inline'", "script-src 'nonce-x' 'unsafe-inline' 'sha256-H'"),
    ("script-src 'strict-dynamic' 'unsafe-inline'", "script-src 'strict-dynamic' 'unsafe-inline' 'sha256-H'"),
    (
      "script-src 'self'; script-src-elem x.test; img-src *",
      "script-src 'self'; script-src-elem x.test 'sha256-H'; img-src *"
    ),
    ("script-src 'self'; script-src 'none'", "script-src 'self' 'sha256-H'; script-src 'none'"),
    ("connect-src 'self'", "connect-src 'self' blob:"), ("connect-src 'none'", "connect-src \(upload) blob:"),
    ("connect-src *", "connect-src * blob:"), ("connect-src x.test blob:", "connect-src x.test blob: \(upload)"),
    (
      "default-src 'self' 'unsafe-inline'",
      "default-src 'self' 'unsafe-inline'; connect-src 'self' 'unsafe-inline' blob:"
    ),
    (
      "default-src 'none'; style-src 'unsafe-inline'",
      "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-H'; connect-src \(upload) blob:"
    ),
    (
      "default-src 'self'; script-src 'unsafe-inline'; connect-src 'self' blob:",
      "default-src 'self'; script-src 'unsafe-inline'; connect-src 'self' blob:"
    ),
    (" ;; default-src 'self' ; ", " default-src 'self'; script-src 'self' 'sha256-H'; connect-src 'self' blob:"),
  ])
  func whatTheScriptNeedsIsAllowed(policy: String, expected: String) {
    #expect(Self.pages.adapt(fieldValue: policy) == expected)
  }

  /// A hash beside 'unsafe-inline' would take it back from the page's own scripts.
  @Test(arguments: [
    "script-src 'unsafe-inline'", "script-src 'self'  'UNSAFE-INLINE' ;img-src  x", "img-src 'none'", "", " ; ",
    "upgrade-insecure-requests", "sandbox allow-scripts", "connect-src * blob:",
  ])
  func whatAllowsItStaysByteForByte(policy: String) {
    #expect(Self.pages.adapt(fieldValue: policy) == policy)
  }

  @Test func everyPolicyOfAFieldIsAdapted() {
    #expect(
      Self.pages.adapt(fieldValue: "script-src a, img-src b,script-src c")
        == "script-src a 'sha256-H', img-src b,script-src c 'sha256-H'")
  }

  @Test func aWorkerNeedsConnectionsOnly() {
    let workers = PolicyAdaptation(hash: nil, uploadURL: Self.upload)
    #expect(
      workers.adapt(fieldValue: "default-src 'self'; script-src 'none'")
        == "default-src 'self'; script-src 'none'; connect-src 'self' blob:")
  }

  @Test(arguments: [
    ("sandbox", true), ("sandbox allow-forms", true), ("sandbox allow-scripts", false), ("script-src x", false),
    ("img-src x, Sandbox", true),
  ])
  func aSandboxMayForbidScripts(policy: String, forbids: Bool) {
    #expect(PolicyAdaptation.forbidsScripts(fieldValue: policy) == forbids)
  }
}
