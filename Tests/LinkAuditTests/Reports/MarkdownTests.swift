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
}
