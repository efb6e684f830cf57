import Policy
import Testing

@testable import Configuration

@Suite struct PictureLintTests {
  @Test(
    arguments: [
      ("pictures: { hosts: ['a.test'] }, rules: { default: 'bypass' }", "pictures.hosts", Finding.Level.warning),
      (
        "pictures: { hosts: ['**.a.test'] }, rules: { hosts: [{ host: '**.a.test', action: 'reject' }] }",
        "pictures.hosts",
        .warning
      ),
      ("pictures: { prefetch: true }", "pictures.prefetch", .warning),
      ("pictures: { hosts: ['a.test'], extensions: ['.png'] }", "pictures.extensions", .warning),
      ("pictures: { hosts: ['a.test'], memory: 0, disk: 0 }", "pictures", .warning),
      ("pictures: { hosts: ['a.test'], memory: '2MiB', disk: '1MiB' }", "pictures.disk", .note),
    ] as [(String, String, Finding.Level)])
  func `settings without effect are told`(text: String, path: String, level: Finding.Level) {
    let findings = load("{ \(text) }").findings.filter { $0.keyPath.hasPrefix("pictures") }
    #expect(findings.map(\.keyPath) == [path] && findings.map(\.level) == [level])
  }

  @Test(arguments: [
    "pictures: { hosts: ['a.test', '*'] }", "pictures: { memory: 0, disk: 0 }",
    "pictures: { hosts: ['a.test'], disk: 0 }",
    "pictures: { hosts: ['a.test'] }, rules: { default: 'bypass' }, lanes: { l: { rules: { default: 'intercept' } } }",
  ])
  func `others are not`(text: String) {
    #expect(load("{ \(text) }").findings.filter { $0.keyPath.hasPrefix("pictures") }.isEmpty)
  }
}
