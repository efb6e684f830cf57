import BodyHook
import Testing

@Suite struct HookNamesTests {
  /// Browsers compare and show field names in lower case.
  @Test func namesAreInLowerCase() {
    #expect(HookNames.meta == HookNames.meta.lowercased() && HookNames.data == HookNames.data.lowercased())
  }
}
