import TestSupport
import Testing

@testable import Foundations
@testable import UniversalLinks

@Suite struct NormalizationTests {
  /// The rule in the specification's words (Matching.md, 3a), over UTF-16 units.
  static func plain(_ path: String) -> String {
    let units = Array(path.utf16)
    if units.isEmpty { return "/" }
    if units.count == 1 { return path }
    var text = path.unicodeScalars.map(String.init)
    for run in ["*", "/"] {
      while let index = text.indices.dropLast().first(where: {
        text[$0] == run && text[$0 + 1] == run
      }) {
        text.remove(at: index)
      }
    }
    var (leading, trailing) = (false, false)
    if text.joined().utf16.count >= 2 {
      leading = text.first == "*"
      if leading { text.removeFirst() }
      trailing = text.last == "*"
      if trailing { text.removeLast() }
    }
    if !leading, text.first != "/" { text.insert("/", at: 0) }
    if !trailing, text.last != "/" { text.append("/") }
    return (leading ? "*" : "") + text.joined() + (trailing ? "*" : "")
  }

  @Test func agreesWithThePlainRuleOnAllSmallPaths() {
    for path in strings(over: ["/", "*", "a", "é", "😀"], upTo: 6) {
      var bytes = Array(path.utf8)
      bytes.normalizePath()
      let normalized = String(decoding: bytes, as: UTF8.self)
      if normalized != Self.plain(path) {
        Issue.record("'\(path)' becomes '\(normalized)', not '\(Self.plain(path))'")
      }
    }
  }

  @Test func encodingAgreesWithThePlainRule() {
    var generator = SeededGenerator()
    let forbidden = Set("\"<>\\^`{|}[]".utf8)
    for _ in 0..<5_000 {
      let text = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        Bool.random(using: &generator)
          ? UInt8.random(in: 0...255, using: &generator)
          : generator.pick(Array("%%2fF/".utf8))
      }
      let isEscape = text.indices.map { index in
        let digits = text.dropFirst(index + 1).prefix(2)
        return digits.count == 2 && digits.allSatisfy { $0.hexadecimalValue != nil }
      }
      // One '%' without digits changes all of them.
      let keepsEscapes = text.indices.allSatisfy { text[$0] != UInt8(ascii: "%") || isEscape[$0] }
      var expected = ""
      for byte in text {
        if byte == UInt8(ascii: "%")
          ? keepsEscapes : byte > 0x20 && byte < 0x7F && !forbidden.contains(byte)
        {
          expected += String(Unicode.Scalar(byte))
        } else {
          let digits = String(byte, radix: 16, uppercase: true)
          expected += "%" + (digits.count < 2 ? "0" : "") + digits
        }
      }
      var output: [UInt8] = []
      let escapes = PercentEncoding.append(encoding: text.span, to: &output)
      #expect(output == Array(expected.utf8))
      #expect(escapes.areThere == expected.contains("%"))
      let hadEscapes = keepsEscapes && text.contains(UInt8(ascii: "%"))
      #expect(escapes.areMixed == (hadEscapes && expected.utf8.count > text.count))
    }
  }

  @Test(arguments: [
    ("/a%20b/100%", "/a%2520b/100%25"), ("/a%20b?c=100%&d=%41#%42", "/a%20b?c=100%25&d=%2541#%42"),
    ("/a%?b=%41#%", "/a%25?b=%41#%25"), ("/a#%41?b=%", "/a#%2541?b=%25"), ("?%41é", "?%41%C3%A9"),
    ("/%", "/%25"), ("/%4", "/%254"), ("/%4g%41", "/%254g%2541"), ("%%41", "%25%2541"), ("", ""),
  ])
  func strayPercentsChangeTheirComponent(target: String, encoded: String) {
    var output: [UInt8] = []
    PercentEncoding.append(encodingTarget: Array(target.utf8).span, to: &output)
    #expect(String(decoding: output, as: UTF8.self) == encoded)
    let url = LinkURL("https://a.example" + (target.hasPrefix("/") ? target : "/" + target))
    let other = LinkURL("https://a.example" + (encoded.hasPrefix("/") ? encoded : "/" + encoded))
    #expect(url.encodedPath == other.encodedPath && url.encodedQuery == other.encodedQuery)
  }

  @Test(arguments: [
    ("a%20b", "a b"), ("%C3%A9", "é"), ("a%FFb", ""), ("%C3", ""), ("a%00b", "a"), ("%25", "%"),
    ("%2", "%2"), ("%zz", "%zz"), ("%ED%A0%80", ""), ("%F0%9F%8D%95", "🍕"), ("%C0%80", ""),
    ("", ""),
  ])
  func decodes(encoded: String, decoded: String) {
    var output: [UInt8] = []
    PercentEncoding.append(decoding: Array(encoded.utf8).span, to: &output)
    #expect(String(decoding: output, as: UTF8.self) == decoded)
  }
}

@Suite struct ComponentTextTests {
  @Test(arguments: [true, false])
  func formsAgreeWithAllSteps(isPath: Bool) {
    var generator = SeededGenerator()
    let pieces = [
      "/", "a", "/b", "7", "-._=&", "A", "%41", "%", "é", "*", "//", " ", "\u{0}", "{", "@", "~",
    ]
    var component = ComponentText(isPath: isPath)
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 0...5, using: &generator))
        .flatMap { _ -> [UInt8] in
          let few = pieces.prefix(.random(in: 5...16, using: &generator))
          return Array(generator.pick(few).utf8)
        }
      component.set(text.span)
      var encoded: [UInt8] = []
      PercentEncoding.append(encoding: text.span, to: &encoded)
      for form in TextForm.allCases {
        var expected = form == .decoded ? [] : encoded
        if form == .decoded { PercentEncoding.append(decoding: encoded.span, to: &expected) }
        if isPath { expected.normalizePath() }
        let bytes = component.text(form)
        #expect(bytes == expected, "\(text), \(form)")
      }
    }
  }
}
