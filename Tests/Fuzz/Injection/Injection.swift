import FuzzChecks
import FuzzDriver

/// What SwiftPM makes the program's `main`.
@_cdecl("FuzzInjection_main")
public func main(_ count: CInt, _ arguments: Arguments) -> CInt {
  fuzz(count, arguments) { Check.named("Injection").fuzz($0, $1) }
}
