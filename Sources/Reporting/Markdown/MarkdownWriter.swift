internal import Foundations
internal import LinkAuditing
internal import UniversalLinks

extension Document {
  /// Returns the document in Markdown, for the summary of a job or a comment on a pull request.
  ///
  /// It has all parts, which open with a click, or the start.
  package func markdown(isFull: Bool = true, top: Int = .max, findingLimit: Int = .max) -> String {
    var writer = MarkdownWriter(top: top, findingLimit: findingLimit)
    writer.write(self, isFull: isFull)
    return writer.lines.joined(separator: "\n") + "\n"
  }
}

extension Document.Section {
  package var markdown: String {
    var writer = MarkdownWriter(top: .max, findingLimit: .max)
    writer.write(Document.Block.section(self))
    return writer.lines.dropFirst().joined(separator: "\n") + "\n"
  }
}

/// Writes a document in GitHub Flavored Markdown (https://github.github.com/gfm/), which GitLab also
/// reads.
struct MarkdownWriter {
  let top: Int
  let findingLimit: Int
  private(set) var lines: [String] = []

  /// Whether the title that was written last has a table already.
  private var hasTable = false

  init(top: Int, findingLimit: Int) { (self.top, self.findingLimit) = (top, findingLimit) }

  mutating func write(_ document: Document, isFull: Bool) {
    lines = [
      "## \(Document.topic): \(document.relation)\(document.subject.markdown)"
        + (document.period.map { ", " + $0 } ?? "")
    ]
    let sources = document.sources.map { fact in
      (fact.name.isEmpty ? "" : Self.escaped(fact.name.capitalizedFirst) + ": ") + fact.markdown
    }
    if !sources.isEmpty { paragraph(sources.joined(separator: " · ")) }
    if !document.filter.isEmpty { paragraph(Self.escaped(document.filter)) }
    for block in document.start { write(block) }
    if isFull { for section in document.sections() { write(section) } }
  }

  private mutating func paragraph(_ text: String) { lines += ["", text] }

  fileprivate mutating func write(_ block: Document.Block) {
    switch block {
    case .heading(let prose, let key):
      hasTable = false
      paragraph("**\(prose.markdown)**" + (key.isEmpty ? "" : " (\(Self.escaped(key)))"))
    case .paragraph(let prose, .alarm): paragraph("\(Severity.error.mark) **\(prose.markdown)**")
    case .paragraph(let prose, _): paragraph(prose.markdown)
    case .list(let items): lines += [""] + items.map { "- " + $0.markdown }
    case .facts(let facts):
      lines += [""] + facts.map { "- \(Self.escaped($0.name)): \($0.markdown)" }
    case .shares(let shares): write(shares)
    case .table(let table), .days(_, let table): write(table)
    case .findings(let list): if list.isStart { write(list) }
    case .problems(let problems): write(problems)
    case .code(let code): lines += ["", "```"] + code.map(SafeText.escaped) + ["```"]
    case .flow: break
    case .section(let section): write(section)
    }
  }

  /// Writes a section that opens with a click; one without blocks is left out.
  private mutating func write(_ section: Document.Section) {
    guard section.form != .entry else { return writeEntry(section) }
    let before = lines
    lines += ["", "<details><summary>\(Self.escaped(section.title.text))</summary>"]
    let start = lines.count
    hasTable = false
    for block in section.blocks() { write(block) }
    guard lines.count > start else { return lines = before }
    lines += ["", "</details>"]
  }

  /// Writes an entry of a list, whose main figure is needed only if it has nothing else.
  private mutating func writeEntry(_ section: Document.Section) {
    paragraph("### " + section.title.markdown)
    hasTable = false
    let blocks = section.blocks()
    for block in blocks { write(block) }
    if blocks.isEmpty, !section.key.isEmpty {
      paragraph(Self.escaped(section.key.capitalizedFirst.endedAsSentence))
    }
  }

  private mutating func write(_ problems: [Document.Problem]) {
    guard !problems.isEmpty else { return }
    lines += Self.table(
      ["", "Place", "Problem", "To do"],
      problems.map { problem in
        let diagnostic = problem.diagnostic
        return [
          diagnostic.severity.mark + " " + Self.code(diagnostic.code),
          Self.escaped(problem.place), Self.patternMessage(diagnostic.message),
          Self.patternMessage(diagnostic.remedy),
        ]
      })
  }

  private mutating func write(_ shares: Document.Shares) {
    lines += Self.table(
      [Self.escaped(shares.title), "Visits", "Share", "Requests", "Share"],
      numbers: [1, 2, 3, 4],
      shares.rows.filter { !$0.isDetail }.map { row in
        [(row.isNested ? "– " : "") + Self.escaped(row.name)] + row.figures(of: shares.whole)
      })
    if let rest = shares.rest { paragraph("… and \(rest)") }
  }

  private mutating func write(_ table: DocumentTable) {
    guard table.count > 0 else { return }
    if hasTable { paragraph("**\(Self.escaped(table.title))**") }
    hasTable = true
    let rows = table.rows(top)
    let columns = table.columns(filledBy: rows)
    lines += Self.table(
      columns.map { Self.escaped($0.title) },
      numbers: Set(columns.indices.filter { columns[$0].isNumber }),
      rows.map { row in columns.map { $0.cell(row).markdown } })
    more(table.count - rows.count, "row")
  }

  private mutating func more(_ rest: Int, _ noun: String) {
    if rest > 0 { paragraph("… and \(rest.counted("more " + noun))") }
  }

  private mutating func write(_ list: Document.FindingList) {
    let new = list.findings.filter { $0.isKnown != true }
    let known = list.findings.count - new.count
    let none = known > 0 ? "No new findings" : "No findings"
    paragraph("### " + (new.isEmpty ? none : new.counts.capitalizedFirst))
    for finding in new.prefix(findingLimit) {
      let host = list.namesHosts ? finding.host.map { ", " + Self.code($0) } ?? "" : ""
      let gain = finding.gain.map { ", **\($0)**" } ?? ""
      let change = finding.changeWord.map { ", " + $0 } ?? ""
      paragraph("#### \(finding.severity.mark) \(Self.escaped(finding.title))")
      paragraph(
        "\(finding.severity.rawValue.capitalizedFirst) \(Self.code(finding.code))"
          + host + gain + change)
      paragraph(Self.message(finding.message))
      if let development = finding.development { paragraph(Self.escaped(development) + ".") }
      paragraph("**To do:** " + Self.message(finding.remedy))
      let command = list.next(finding).joined(separator: " ")
      lines += ["", "```sh", SafeText.escaped(command), "```"]
    }
    more(new.count - findingLimit, "finding")
    if known > 0 { paragraph(Baseline.sentence(known: known)) }
  }
}

extension Prose {
  /// The text in Markdown; a link is its title.
  fileprivate var markdown: String {
    runs.map { run in
      switch run {
      case .text(let text), .link(let text, _): MarkdownWriter.escaped(text)
      case .code(let text): MarkdownWriter.code(text)
      case .path(let path): MarkdownWriter.path(path)
      }
    }.joined()
  }
}

extension Document.Fact {
  fileprivate var markdown: String { values.map(\.markdown).joined(separator: ", ") }
}

extension TableValue {
  /// The cell in Markdown, its remark after it.
  fileprivate var markdown: String {
    switch self {
    case .rule: MarkdownWriter.code(ShownText(text).text)
    case .path, .code:
      MarkdownWriter.code(ShownText(text).text)
        + (remark.isEmpty ? "" : ", " + MarkdownWriter.escaped(remark))
    default: MarkdownWriter.escaped(text)
    }
  }
}

extension MarkdownWriter {
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

  /// A message about patterns, where an escape and its character differ, shortened if it is long.
  static func patternMessage(_ message: String) -> String {
    escaped(ShownText(message, limit: ShownText.messageLimit).text)
  }

  /// A table with numbers in some columns, whose first line is empty.
  static func table(_ heading: [String], numbers: Set<Int> = [], _ rows: [[String]]) -> [String] {
    let rule = heading.indices.map { numbers.contains($0) ? "---:" : "---" }
    return [""] + ([heading, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
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
