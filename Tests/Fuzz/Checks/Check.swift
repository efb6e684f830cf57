import Glibc

/// What is claimed about one parser of bytes from outside, whatever these are.
public struct Check: Sendable {
  /// The name of its folder in `Tests/Fuzz`.
  public let name: String
  private let body: @Sendable ([UInt8]) throws(Complaint) -> Void

  init(_ name: String, _ body: @escaping @Sendable ([UInt8]) throws(Complaint) -> Void) {
    self.name = name
    self.body = body
  }

  public static let all = [
    Check("Certificates", CertificatesCheck.run),
    Check("ClientHello", ClientHelloCheck.run),
    Check("Codings", CodingsCheck.run),
    Check("ConfigurationText", ConfigurationTextCheck.run),
    Check("FirstBytes", FirstBytesCheck.run),
    Check("HTTP1Request", HTTP1RequestCheck.run),
    Check("HTTP1Response", HTTP1ResponseCheck.run),
    Check("HTTP2Session", HTTP2SessionCheck.run),
    Check("Imports", ImportsCheck.run),
    Check("Injection", InjectionCheck.run),
    Check("Names", NamesCheck.run),
    Check("PropertyLists", PropertyListsCheck.run),
    Check("TLSServer", TLSServerCheck.run),
    Check("Transparency", TransparencyCheck.run),
    Check("TransportSecurity", TransportSecurityCheck.run),
  ]

  /// The check of that name; one that always complains if there is none.
  public static func named(_ name: String) -> Check {
    all.first { $0.name == name }
      ?? Check(name) { (_) throws(Complaint) in throw Complaint(description: "there is no check \(name)") }
  }

  public func run(_ bytes: [UInt8]) throws(Complaint) {
    try body(bytes)
  }

  /// For libFuzzer, which takes an abort as a finding and keeps the input.
  public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do throws(Complaint) {
      try body(Array(UnsafeBufferPointer(start: start, count: count)))
      return 0
    } catch {
      let line = "\(name): \(error)\n"
      write(STDERR_FILENO, line, line.utf8.count)
      abort()
    }
  }
}
