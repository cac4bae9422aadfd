import TestSupport
import Testing

@testable import UniversalLinks

@Suite struct EncodedTextTests {
  private static let text = """
    {"applinks": {"details": [
      {"appID": "A1B2C3D4E5.com.example.tea", "paths": ["/😀é", "/tea/*"]}]}}
    """

  /// The text in UTF-16 or UTF-32.
  private static func bytes(_ text: String, width: Int, isBigEndian: Bool) -> [UInt8] {
    let units = width == 2 ? text.utf16.map { UInt32($0) } : text.unicodeScalars.map { $0.value }
    return units.flatMap { unit in
      let bigEndian = (0..<width).map { UInt8(unit >> UInt32(8 * (width - 1 - $0)) & 0xFF) }
      return isBigEndian ? bigEndian : bigEndian.reversed()
    }
  }

  @Test(arguments: [2, 4], [true, false])
  func decodesEveryEncoding(width: Int, isBigEndian: Bool) throws {
    for mark in ["", "\u{FEFF}"] {
      let bytes = Self.bytes(mark + Self.text, width: width, isBigEndian: isBigEndian)
      let decoded = EncodedText(bytes)
      #expect(decoded.bytes == Array(Self.text.utf8))
      #expect(decoded.encoding == (width == 2 ? "UTF-16" : "UTF-32"))
      #expect(decoded.hasByteOrderMark == !mark.isEmpty)
      #expect(try AssociationFile(decoding: bytes) == AssociationFile(Self.text))
      let lint = AssociationFile.lint(bytes)
      #expect(lint.diagnostics.map(\.code) == ["utf-16", "unencoded-character"])
      // Lines and columns are those that an editor shows.
      #expect(lint.diagnostics.last?.start == TextPosition(line: 2, column: 55))
      #expect(lint.file != nil)
    }
  }

  @Test func byteOrderMarkIsNoColumn() throws {
    let lint = AssociationFile.lint(Array(("\u{FEFF}" + Self.text).utf8))
    #expect(lint.diagnostics.map(\.code) == ["byte-order-mark", "unencoded-character"])
    let tight = AssociationFile.lint(Array("\u{FEFF}[]".utf8))
    #expect(tight.diagnostics.last?.start == TextPosition(line: 1, column: 1))
    #expect(lint.file != nil)
  }

  @Test func trailingCommasAreAccepted() throws {
    let file = try AssociationFile(
      #"{"applinks":{"details":[{"appID":"a.b","paths":["/a" , ],},],},}"#)
    #expect(file.entries.first?.paths?.map(\.path) == ["/a"])
    for text in [#"{"applinks":{},,}"#, #"{"applinks":[1,,]}"#, #"{,}"#, #"{"applinks":[,]}"#] {
      #expect(throws: AssociationFileError.self) {
        try AssociationFile(text)
      }
    }
  }

  /// A text that is cut within a code unit or a pair of surrogates stays unchanged.
  @Test func damagedTextIsNotDecoded() {
    let whole = Self.bytes("\u{FEFF}{\"😀\"}", width: 2, isBigEndian: false)
    for count in [7, 8] {
      let decoded = EncodedText(Array(whole.prefix(count)))
      #expect(decoded.bytes == Array(whole.prefix(count)))
      #expect(decoded.encoding == "UTF-8")
      #expect(throws: AssociationFileError.looksLike(.wideText)) {
        try AssociationFile(decoding: Array(whole.prefix(count)))
      }
    }
  }

  @Test func recognizesTheStartOfAFile() {
    #expect(AssociationFile.isStart(Array(#" {"applinks": {"det"#.utf8)))
    #expect(AssociationFile.isStart(Array("\u{FEFF}{\"webcredentials\"".utf8)))
    #expect(!AssociationFile.isStart(Array(#"["applinks"]"#.utf8)))
    #expect(!AssociationFile.isStart(Array(#"{"request": "/applinks"}"#.utf8)))
  }
}

/// Lines and columns are those of a count from the start of the text.
@Suite struct TextPositionTests {
  @Test(arguments: [0, 1, 255, 256, 257, 511, 512, 3_000], [2, 700])
  func countsAsEditorsDo(size: Int, lineLength: Int) {
    var generator = SeededGenerator()
    let bytes: [UInt8] = (0..<size).map { _ in
      Int.random(in: 0..<lineLength, using: &generator) == 0
        ? UInt8(ascii: "\n") : generator.pick([0x61, 0xC3, 0xA9, 0xF0, 0x9F])
    }
    let index = LineIndex(bytes)
    for offset in 0...(size + 1) {
      let before = bytes.prefix(offset)
      let line = before.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let expected = TextPosition(
        line: line.count, column: (line.last ?? []).count { $0 & 0xC0 != 0x80 } + 1)
      let position = index.position(of: offset, in: bytes)
      guard position == expected else {
        Issue.record("offset \(offset): \(position), expected \(expected)")
        return
      }
    }
  }
}
