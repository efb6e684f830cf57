import FuzzChecks
import FuzzDriver

/// What SwiftPM makes the program's `main`.
@_cdecl("FuzzHTTP1Request_main")
public func main(_ count: CInt, _ arguments: Arguments) -> CInt {
  fuzz(count, arguments) { Check.named("HTTP1Request").fuzz($0, $1) }
}
