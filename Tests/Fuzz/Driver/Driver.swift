/// libFuzzer's way in for programs that have a `main` of their own, as SwiftPM insists they do.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<Arguments>, _ body: Body
) -> CInt

/// The `argv` of a program.
public typealias Arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
/// What is called with each input.
public typealias Body = @convention(c) (_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt

/// Reads libFuzzer's options from the arguments and calls `body` with input after input until one of them ends it.
public func fuzz(_ count: CInt, _ arguments: Arguments, _ body: Body) -> CInt {
  var count = count
  var arguments = arguments
  return runDriver(&count, &arguments, body)
}
