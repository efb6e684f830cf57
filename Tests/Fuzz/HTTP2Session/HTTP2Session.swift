import FuzzChecks
import FuzzDriver

/// What SwiftPM makes the program's `main`.
@_cdecl("FuzzHTTP2Session_main")
public func main(_ count: CInt, _ arguments: Arguments) -> CInt {
  fuzz(count, arguments) { Check.named("HTTP2Session").fuzz($0, $1) }
}
