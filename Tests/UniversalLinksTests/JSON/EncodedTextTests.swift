import Foundation
import TestSupport
import Testing

@testable import UniversalLinks

@Suite struct EncodedTextTests {
  private static let text = """
    {"applinks": {"details": [
      {"appID": "A1B2C3D4E5.com.example.tea", "paths": ["/😀é", "/tea/*"]}]}}
    """

  @Test(
    arguments: [
      (.utf16BigEndian, "UTF-16"), (.utf16LittleEndian, "UTF-16"), (.utf32BigEndian, "UTF-32"),
      (.utf32LittleEndian, "UTF-32"),
    ] as [(String.Encoding, String)])
  func decodesEveryEncoding(encoding: String.Encoding, name: String) throws {
    for mark in ["", "\u{FEFF}"] {
      let bytes = Array(try #require((mark + Self.text).data(using: encoding)))
      let decoded = EncodedText(bytes)
      #expect(decoded.bytes == Array(Self.text.utf8))
      #expect(decoded.encoding == name)
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
      #expect(throws: AssociationFileError.self) { try AssociationFile(text) }
    }
  }

  /// A text that is cut within a code unit or a pair of surrogates stays unchanged.
  @Test func damagedTextIsNotDecoded() throws {
    let whole = try #require("\u{FEFF}{\"😀\"}".data(using: .utf16LittleEndian))
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
      let position = index.position(of: offset)
      guard position == expected else {
        Issue.record("offset \(offset): \(position), expected \(expected)")
        return
      }
    }
  }
}
