internal import Foundations
internal import LinkAuditing
internal import UniversalLinks

/// Text in GitHub Flavored Markdown (https://github.github.com/gfm/), which GitLab also reads.
enum MarkdownText {
  /// A text as it is, without any mark-up, link, mention or reference that it could be taken for.
  static func escaped(_ text: String) -> String {
    var output = ""
    // Scalars, as marks that combine with them would hide these characters from a comparison.
    for scalar in SafeText.escaped(text).unicodeScalars {
      switch scalar {
      case "\\", "`", "*", "_", "[", "]", "~", "|", "#", "!": output += "\\" + String(scalar)
      case "<": output += "&lt;"
      case ">": output += "&gt;"
      case "&": output += "&amp;"
      // Sites link mentions and addresses after they have parsed the Markdown, so only a comment
      // prevents that.
      case "@": output += "@<!-- -->"
      case ":" where output.endsWith("http") || output.endsWith("https") || output.endsWith("ftp"):
        output += ":<!-- -->"
      case "." where output.endsWith("www"): output += ".<!-- -->"
      default: output.unicodeScalars.append(scalar)
      }
    }
    return output
  }

  /// A text in code.
  static func code(_ text: String) -> String {
    let text = SafeText.escaped(text)
    guard !text.isEmpty else { return "" }
    // A bar ends the cell of a table, even in code.
    let scalars = text.unicodeScalars
    guard !scalars.contains("`"), !scalars.contains("|"), scalars.first != " ", scalars.last != " "
    else { return "<code>" + escaped(text) + "</code>" }
    return "`" + text + "`"
  }

  /// A percent-encoded path in code, with letters that people can read, shortened if it is long.
  static func path(_ path: String) -> String { code(ShownText(path: path).text) }

  /// A message of a finding, whose paths are percent-encoded, shortened if it is long.
  static func message(_ message: String) -> String { escaped(ShownText.message(message).text) }

  /// A table.
  ///
  /// - Parameters:
  ///   - heading: The headings.
  ///   - numbers: The positions of the columns with numbers.
  ///   - rows: The cells, in Markdown.
  /// - Returns: The lines, the first of them empty.
  static func table(
    _ heading: [String], numbers: Set<Int> = [], _ rows: [[String]]
  ) -> [String] {
    let rule = heading.indices.map { numbers.contains($0) ? "---:" : "---" }
    return [""] + ([heading, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
  }

  /// A line about problems that a baseline has, or none.
  static func knownLine(_ count: Int) -> [String] {
    count == 0 ? [] : ["", Baseline.sentence(known: count)]
  }
}

extension String {
  /// Returns a Boolean value indicating whether the text ends with a word of ASCII in lower case,
  /// whatever its letter case here.
  fileprivate func endsWith(_ word: String) -> Bool {
    utf8.suffix(word.utf8.count).elementsEqual(word.utf8) { $0 | 0x20 == $1 }
  }
}

extension Severity {
  /// A sign by which people find what matters in a long page.
  var mark: String {
    switch self {
    case .error: "❌"
    case .warning: "⚠️"
    case .note: "ℹ️"
    }
  }
}
