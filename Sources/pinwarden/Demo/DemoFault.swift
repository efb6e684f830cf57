/// Why a request of the demo came to nothing.
struct DemoFault: Error {
  let text: String
}
