/// The values of the script's own fields in one request, as they came. A field that came twice is as good as none.
public struct HookFields: Sendable, Equatable {
  public var meta: ArraySlice<UInt8>?
  public var data: ArraySlice<UInt8>?
  public var identifier: ArraySlice<UInt8>?
  public var number: ArraySlice<UInt8>?
  public var size: ArraySlice<UInt8>?

  public init() {}

  public var isEmpty: Bool { self == HookFields() }
}
