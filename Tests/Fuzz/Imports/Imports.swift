import FuzzChecks
import FuzzDriver

/// What SwiftPM makes the program's `main`.
@_cdecl("FuzzImports_main")
public func main(_ count: CInt, _ arguments: Arguments) -> CInt {
  fuzz(count, arguments) { Check.named("Imports").fuzz($0, $1) }
}
