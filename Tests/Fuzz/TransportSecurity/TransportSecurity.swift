import FuzzChecks
import FuzzDriver

/// What SwiftPM makes the program's `main`.
@_cdecl("FuzzTransportSecurity_main")
public func main(_ count: CInt, _ arguments: Arguments) -> CInt {
  fuzz(count, arguments) { Check.named("TransportSecurity").fuzz($0, $1) }
}
