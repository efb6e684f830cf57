import Codings
import Testing

@Suite struct CharsetTests {
  @Test(arguments: [
    ("UTF-8", "utf-8"), (" gb2312\n", "gbk"), ("latin1", "windows-1252"), ("Shift-JIS", "shift_jis"),
    ("ks_c_5601-1987", "euc-kr"), ("utf-16", "utf-16le"), ("unicodefffe", "utf-16be"), ("tis-620", "windows-874"),
    ("hz-gb-2312", "replacement"), ("iso_8859-8:1988", "iso-8859-8"), ("utf-7", nil), ("", nil),
  ])
  func labelsAreThoseOfTheStandard(label: String, name: String?) {
    #expect(Charset(label: label)?.name == name)
  }

  @Test(arguments: [
    ("text/html; charset=gbk", "gbk"), ("text/html;charset=\"Big5\"", "big5"),
    ("text/html; a=b; Charset = utf-8 ", "utf-8"), ("text/html", nil), ("text/html; charset=nonsense", nil),
  ])
  func aMediaTypeDeclaresACharset(mediaType: String, name: String?) {
    #expect(Charset(mediaType: mediaType)?.name == name)
  }

  @Test(arguments: [
    ("gbk", "中", [0xD6, 0xD0]), ("gb18030", "中", [0xD6, 0xD0]), ("big5", "中", [0xA4, 0xA4]),
    ("shift_jis", "中", [0x92, 0x86]), ("euc-jp", "中", [0xC3, 0xE6]), ("euc-kr", "중", [0xC1, 0xDF]),
    ("windows-1251", "я", [0xFF]), ("iso-8859-8-i", "א", [0xE0]), ("windows-874", "ก", [0xA1]),
    ("koi8-u", "ї", [0xA7]), ("x-mac-cyrillic", "я", [0xDF]), ("macintosh", "ä", [0x8A]), ("ibm866", "я", [0xEF]),
    ("iso-8859-16", "ș", [0xBA]), ("iso-2022-jp", "中", [0x1B, 0x24, 0x42, 0x43, 0x66, 0x1B, 0x28, 0x42]),
  ])
  func textGoesBothWays(label: String, text: String, bytes: [UInt8]) throws {
    let charset = try #require(Charset(label: label))
    #expect(charset.encode(text, substitute: .questionMark) == bytes)
    #expect(charset.decode(bytes) == text)
  }

  @Test(arguments: [(Charset.utf16LE, [0x3C, 0x00, 0x2D, 0x4E]), (.utf16BE, [0x00, 0x3C, 0x4E, 0x2D])])
  func utf16IsReadAndNeverWritten(charset: Charset, bytes: [UInt8]) {
    #expect(charset.decode(bytes) == "<中")
    #expect(charset.encode("<中", substitute: .reference) == Array("<中".utf8))
  }

  /// As forms of GBK pages are sent.
  @Test func whatAnEncodingLacksIsSubstituted() throws {
    let charset = try #require(Charset(label: "gbk"))
    #expect(charset.encode("中\u{1F600}a", substitute: .reference) == [0xD6, 0xD0] + Array("&#128512;a".utf8))
    #expect(charset.encode("\u{1F600}", substitute: .questionMark) == [0x3F])
  }

  @Test func everyEncodingOfTheStandardCanBeRead() throws {
    for label in ["ibm866", "koi8-r", "macintosh", "x-mac-cyrillic", "windows-874", "gbk", "big5"]
      + (1...16).filter({ $0 != 12 }).map({ "iso-8859-\($0)" }) + (1250...1258).map({ "windows-\($0)" })
    {
      let charset = try #require(Charset(label: label))
      #expect(charset.decode(Array("plain".utf8)) == "plain")
    }
  }

  @Test func whatIsNoCharacterBecomesAReplacement() throws {
    let charset = try #require(Charset(label: "gbk"))
    #expect(charset.decode([0x61, 0xFF, 0x62]) == "a\u{FFFD}b")
    #expect(charset.decode([0x61, 0xD6]) == "a\u{FFFD}")
    #expect(Charset.utf8.decode([0x61, 0xFF]) == "a\u{FFFD}")
  }

  @Test func aByteOrderMarkIsNoText() {
    #expect(Charset.utf8.decode([0xEF, 0xBB, 0xBF, 0x61]) == "a")
    #expect(Charset.utf16LE.decode([0xFF, 0xFE, 0x61, 0x00]) == "a")
    #expect(Charset(byteOrderMark: [0xFE, 0xFF, 0x00]) == .utf16BE)
    #expect(Charset(byteOrderMark: [0xEF, 0xBB]) == nil)
  }

  @Test func anEncodingWithoutAConverterIsToldApart() throws {
    let charset = try #require(Charset(label: "x-user-defined"))
    #expect(charset.decode([0x61]) == nil)
    #expect(charset.encode("a", substitute: .reference) == nil)
  }
}
