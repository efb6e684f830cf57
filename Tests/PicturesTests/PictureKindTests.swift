import Pictures
import Testing

@Suite struct PictureKindTests {
  @Test func everyKindHasItsOwnName() {
    #expect(Set(PictureKind.allCases.map(\.rawValue)).count == PictureKind.allCases.count)
  }
}
