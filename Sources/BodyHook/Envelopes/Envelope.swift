/// A whole body that the script carried past the device's protocol, checked against its digest.
public struct Envelope: Sendable, Equatable {
  public let meta: EnvelopeMeta
  /// For a form the list of its entries; empty if the body was over the limit.
  public let bytes: [UInt8]

  /// - Parameter digest: SHA-256.
  public init(
    meta: EnvelopeMeta, bytes: [UInt8], digest: (_ bytes: [UInt8]) -> [UInt8]
  ) throws(EnvelopeFault) {
    guard meta.isOverLimit ? bytes.isEmpty : bytes.count == meta.byteCount && digest(bytes) == meta.digest else {
      throw .damaged
    }
    self.meta = meta
    self.bytes = bytes
  }
}
