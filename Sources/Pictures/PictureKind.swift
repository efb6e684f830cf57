/// The image formats that are known by their first bytes.
public enum PictureKind: String, CaseIterable, Sendable {
  case png, jpeg, gif, webp, heic, avif
}
