internal import LinkAuditing

/// The ways to let links on the same host open the app, with text to paste.
struct TextSameHostFixes {
  let fixes: [SameHostFix]
  let style: Style

  /// The number of pages with a banner of their own.
  private static let pageCount = 3

  func lines() -> [String] {
    guard let first = fixes.first else { return [] }
    var lines = ["", style.bold("To let links on the same host open the app")]
    let all = fixes.reduce(0) { $0 + $1.visits }
    lines += paragraph(
      "1. Link to a second host (\(all.counted("visit"))). Serve the same association file at")
    lines += code("https://\(first.secondHost)/.well-known/apple-app-site-association")
    lines += paragraph("add this entry to the app's associated domains,", indent: "     ")
    lines += code(first.entitlement)
    if let link = first.secondHostExample {
      lines += paragraph("and link to it on pages like \(safe(first.page)):", indent: "     ")
      lines += code(link)
    }
    lines += paragraph("2. Or offer the app with a smart app banner.")
    for fix in fixes.prefix(Self.pageCount) {
      guard let banner = fix.banner else { continue }
      let name = "On pages like \(safe(fix.page)) (\(fix.visits.counted("visit")))"
      if fix.showsBanner {
        lines +=
          paragraph("\(name):", indent: "     ")
          // A tag may end its lines between attributes.
          + banner.replacing(" content=", with: "\ncontent=").split(separator: "\n")
          .flatMap { code(String($0)) }
      } else {
        lines += paragraph(
          "\(name), no rule claims the page, so Safari shows no banner.", indent: "     ")
      }
    }
    return lines
  }

  private func paragraph(_ text: String, indent: String = "  ") -> [String] {
    text.wrapped(width: style.width, indent: indent)
  }

  /// A line to paste, which is never wrapped.
  private func code(_ text: String) -> [String] { ["      " + safe(text)] }

  private func safe(_ text: String) -> String { SafeText.escaped(text) }
}
