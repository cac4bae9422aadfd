import TestSupport
import Testing

@testable import Reporting

/// Text from logs and files is never markup.
@Suite struct MarkdownTests {
  @Test(arguments: [
    ("plain text, 42%", "plain text, 42%"), ("/buy/{*}", "/buy/{\\*}"), ("a|b", "a\\|b"),
    ("<script>&", "&lt;script&gt;&amp;"), ("@team", "@<!-- -->team"), ("#12", "\\#12"),
    ("[a](b)", "\\[a\\](b)"), ("`x`", "\\`x\\`"), ("http://a.b", "http:<!-- -->//a.b"),
    ("see www.a.b", "see www.<!-- -->a.b"), ("a\u{202E}b", "a\\\\u{202E}b"),
    ("a\nb", "a\\\\u{A}b"), ("~~a~~", "\\~\\~a\\~\\~"), ("__a__", "\\_\\_a\\_\\_"),
    ("`\u{301}@\u{301}", "\\`\u{301}@<!-- -->\u{301}"), ("HTTP://a", "HTTP:<!-- -->//a"),
    ("\\", "\\\\"), ("![x](y)", "\\!\\[x\\](y)"),
  ])
  func escapes(text: String, expected: String) {
    #expect(MarkdownText.escaped(text) == expected)
  }

  @Test(arguments: [
    ("/buy/*", "`/buy/*`"), ("a`b", "<code>a\\`b</code>"), ("a|b", "<code>a\\|b</code>"),
    (" a", "<code> a</code>"), ("a`\u{301}b", "<code>a\\`\u{301}b</code>"), ("@a", "`@a`"),
    ("", ""),
  ])
  func code(text: String, expected: String) {
    #expect(MarkdownText.code(text) == expected)
  }

  /// A path of a log can have a million characters.
  @Test func longTextsAreShortAndFast() {
    let text = "/p/" + String(repeating: ".:", count: 500_000)
    #expect(MarkdownText.escaped(text).utf8.count == text.utf8.count)
    #expect(MarkdownText.path(text).count < 250 && MarkdownText.message(text).count < 2_100)
  }

  /// Patterns of 'paths' that exclude say so themselves.
  @Test(arguments: ["markdown", "text", "html"])
  func exclusionsAreNamedOnce(format: String) throws {
    let folder = try TemporaryFolder()
    for (name, paths) in [("old", #""*""#), ("new", #""NOT /p/r*", "*""#)] {
      let text = #"{"applinks":{"details":[{"appID":"A1B2C3D4E5.a","paths":[\#(paths)]}]}}"#
      _ = try folder.write(text.utf8, to: name + ".json")
    }
    let outcome = try folder.run(
      "linkaudit diff old.json new.json --host www.example.com --format \(format) "
        + "--baseline known.json --update-baseline; cat known.json")
    #expect(outcome.stdout.contains("NOT /p/r*"), "\(outcome)")
    #expect(!outcome.stdout.lowercased().contains("not not"))
  }
}
