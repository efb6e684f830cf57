/// Something wrong in the text of a JSON5 document.
struct JSON5Fault: Error, Sendable {
  /// Byte offset of the place.
  let offset: Int
  /// The value that was being read.
  let path: SettingPath
  /// One sentence.
  let message: String
  /// Where a key that is given twice stands for the first time.
  var firstOffset: Int?
}

/// What came of reading a document: `root` is nil only if the text could not be read to its end.
struct JSON5Document: Sendable {
  let root: JSON5Node?
  /// Everything that was found, in the order of the text.
  let faults: [JSON5Fault]
}
