/// Makes choices from the bytes of an input, so that the fuzzer steers them; all zeros once they are used up.
struct Dice {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: some Collection<UInt8>) {
    rest = Array(bytes)[...]
  }

  var isEmpty: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 {
    rest.popFirst() ?? 0
  }

  mutating func word() -> Int {
    Int(byte()) << 8 | Int(byte())
  }

  mutating func element<Element>(of choices: [Element]) -> Element {
    choices[Int(byte()) % choices.count]
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }
}
