internal import Foundations
internal import LinkAuditing
internal import UniversalLinks

extension Document {
  /// Returns the document as text: all parts, or the start, which fits a large terminal.
  package func text(isFull: Bool = true, top: Int = .max, style: Style) -> String {
    var writer = TextWriter(style: style, top: top, isFull: isFull)
    writer.write(self)
    if !isFull, writer.lines.count > TextWriter.startLimit {
      writer = TextWriter(style: style, top: top, isFull: false, isClipped: true)
      writer.write(self)
    }
    return writer.lines.joined(separator: "\n") + "\n"
  }
}

extension Document.Section {
  package func text(style: Style) -> String {
    Document(subject: "") { [self] }.text(style: style)
  }
}

/// Writes a document as text, in lines that fit the width of the style.
struct TextWriter {
  let style: Style
  let top: Int
  let isFull: Bool

  /// Whether texts have few lines, so that the start fits a large terminal whatever the logs hold.
  private let isClipped: Bool
  private(set) var lines: [String] = []
  private var indent = ""

  /// The title of the section, until its first block is written.
  private var pendingTitle: String?

  /// The title that was written last, the number of lines then, and whether it has a table already.
  private var lastTitle = ""
  private var titleEnd = 0
  private var hasTable = false

  /// Whether the entry before takes a line.
  private var isAfterLine = false

  /// The findings at the start, which aren't repeated.
  private var started: [Finding] = []
  static let startLimit = 60

  init(style: Style, top: Int, isFull: Bool, isClipped: Bool = false) {
    (self.style, self.top) = (style, top)
    (self.isFull, self.isClipped) = (isFull, isClipped)
  }

  mutating func write(_ document: Document) {
    guard !document.start.isEmpty else { return writeList(document) }
    writeTitle(of: document)
    for block in document.start { write(block) }
    guard !isFull else {
      for section in document.sections() { write(section) }
      return
    }
    gap()
    wrap(
      "For all tables, use '--full' or '-o report.html'. To explain a finding, use "
        + "'linkaudit explain CODE'.", limit: 2, style.dim)
  }

  /// Writes entries, and the subject below several.
  private mutating func writeList(_ document: Document) {
    let sections = document.sections()
    for section in sections { write(section) }
    guard sections.count > 1 else { return }
    gap()
    wrap(SafeText.escaped(document.subject.text), limit: 2)
  }

  private mutating func writeTitle(of document: Document) {
    var details =
      [document.period].compactMap(\.self)
      + document.sources.filter(\.name.isEmpty).flatMap(\.values).map { SafeText.escaped($0.text) }
    let title = SafeText.escaped(document.relation + document.subject.text)
    while details.joined(separator: ", ").displayWidth > style.width / 2 + 20 {
      details.removeLast()
    }
    let rest = details.map { ", " + $0 }.joined()
    let shown = title.shortened(to: max(8, style.width - rest.displayWidth))
    lines.append(style.bold(document.relation.isEmpty ? shown : shown.capitalizedFirst) + rest)
    write(facts: document.sources.filter { !$0.name.isEmpty })
    if !document.filter.isEmpty { wrap(SafeText.escaped(document.filter), limit: 2) }
  }

  // MARK: - Blocks

  private mutating func write(_ block: Document.Block) {
    switch block {
    case .section, .findings, .days, .flow: break
    default: flushTitle()
    }
    switch block {
    case .section(let section): write(section)
    case .heading(let prose, let key): title(prose.text, key: key, indent)
    case .findings(let list) where list.isStart: writeStart(list)
    case .findings(let list): write(list)
    case .days(let site, _):
      pendingTitle = nil
      lines += site.lines(ofDaysIn: style)
    case .flow: break
    case .paragraph(let prose, let tone): write(prose, tone)
    case .list(let items):
      for item in items {
        lines += SafeText.escaped(item.text).hung(after: indent + "- ", width: style.width)
      }
    case .facts(let facts): write(facts: facts)
    case .shares(let shares): write(shares)
    case .table(let table): write(table)
    case .problems(let problems): for problem in problems { write(problem) }
    case .code(let code): lines += code.map { indent + "  " + style.bold(SafeText.escaped($0)) }
    }
  }

  private mutating func write(_ section: Document.Section) {
    let margin = indent
    switch section.form {
    case .open, .folded:
      pendingTitle = section.title.text
      indent = "  "
    case .part:
      lines += ["", style.rule, "", style.bold(SafeText.escaped(section.title.text))]
      (pendingTitle, indent) = (nil, "")
    case .group: pendingTitle = nil
    case .entry: return writeEntry(section)
    }
    for block in section.blocks() { write(block) }
    (pendingTitle, indent) = (nil, margin)
  }

  /// Writes an entry of a list; entries without blocks take a line each.
  private mutating func writeEntry(_ section: Document.Section) {
    let blocks = section.blocks()
    if !(isAfterLine && blocks.isEmpty) { gap() }
    isAfterLine = blocks.isEmpty
    let title = style.bold(SafeText.escaped(section.title.text))
    guard !blocks.isEmpty else {
      let key = section.key.isEmpty ? "" : "  " + style.green(SafeText.escaped(section.key))
      return lines.append(title + key)
    }
    lines.append(title)
    indent = "  "
    for block in blocks { write(block) }
    if !section.key.isEmpty {
      gap()
      wrap(SafeText.escaped(section.key), limit: 1)
    }
    indent = ""
  }

  /// Writes the title of the section before its first block.
  private mutating func flushTitle() {
    guard let section = pendingTitle else { return }
    pendingTitle = nil
    title(section, "")
  }

  private mutating func title(_ title: String, key: String = "", _ indent: String) {
    gap()
    let text = SafeText.escaped(title) + (key.isEmpty ? "" : " (\(SafeText.escaped(key)))")
    lines += text.wrapped(width: style.width, indent: indent).map(style.bold)
    (lastTitle, titleEnd, hasTable) = (title, lines.count, false)
  }

  /// Leaves a line empty, unless a title precedes.
  private mutating func gap() {
    if let last = lines.last, !last.isEmpty, lines.count != titleEnd { lines.append("") }
  }

  private mutating func write(_ prose: Prose, _ tone: Document.Tone) {
    let text = SafeText.escaped(prose.text)
    switch tone {
    case .lead: wrap(text, limit: 3)
    case .plain: wrap(text, limit: 2)
    case .hint: wrap(text, limit: 2, indent.isEmpty ? { $0 } : style.dim)
    case .alarm: wrap("! " + text, limit: 1, style.red)
    }
  }

  private mutating func write(facts: [Document.Fact]) {
    let names = facts.map { SafeText.escaped($0.name).shortened(to: style.width / 2) }
    let width = names.map(\.displayWidth).max() ?? 0
    for (name, fact) in zip(names, facts) {
      for (index, value) in fact.values.enumerated() {
        let margin = (index == 0 ? name : "").padded(to: width)
        var hung = SafeText.escaped(value.text).hung(after: "  \(margin)  ", width: style.width)
        if index == 0, let verdict = fact.verdict, let line = hung.first {
          hung[0] = "  " + style.colored(name, verdict) + line.dropFirst(2 + name.count)
        }
        lines += hung
      }
    }
  }

  // MARK: - Lines

  /// Writes text in lines of the width, at most `limit` if texts are clipped.
  ///
  /// An ellipsis shows that others follow.
  private mutating func wrap(
    _ text: String, limit: Int, indent: String? = nil, _ color: (String) -> String = { $0 }
  ) {
    var wrapped = text.wrapped(width: style.width, indent: indent ?? self.indent)
    if isClipped, wrapped.count > limit, var end = wrapped.prefix(limit).last {
      while end.displayWidth + 4 > style.width, let space = end.lastIndex(of: " ") {
        end = String(end[..<space])
      }
      wrapped = wrapped.prefix(limit - 1) + [end.trimmingEnd() + " " + style.ellipsis]
    }
    lines += wrapped.map(color)
  }
}

// MARK: - Shares

extension TextWriter {
  private mutating func write(_ shares: Document.Shares) {
    let whole = shares.whole
    let rows = shares.rows.filter { isFull || !$0.isDetail }
    let cells = rows.map { row in
      [
        ((row.isNested ? "  " : "") + SafeText.escaped(row.name)).shortened(to: style.width / 2)
      ] + row.figures(of: whole)
    }
    let heads = ["", "visits", "share", "requests", "share"]
    let widths = heads.indices.map { column in
      cells.map { $0[column].displayWidth }.reduce(heads[column].displayWidth, max)
    }
    // Two columns are the margin, and two are between columns.
    let columns = min(
      style.barColumns, max(0, style.width - 2 - 2 * heads.count - widths.reduce(0, +)))
    let table = zip(rows, cells).map { row, cells in
      let bar =
        whole.visits > 0
        ? style.bar(row.traffic.visits, of: whole.visits, columns: columns)
        : style.bar(row.traffic.requests, of: whole.requests, columns: columns)
      return [cells[0], bar] + cells.dropFirst()
    }
    var made = ([["", ""] + heads.dropFirst()] + table)
      .lines(numbers: [2, 3, 4, 5], flexible: 1, width: style.width)
    if shares.title != lastTitle {
      // The title takes the place above names and bars if it fits there.
      let title = "  " + shares.title
      if title.displayWidth <= 2 + widths[0] + 2 + columns {
        gap()
        made[0] = style.bold(title) + made[0].dropFirst(title.count)
      } else {
        self.title(shares.title, indent)
      }
    }
    lines += made
    if let rest = shares.rest {
      lines.append("  \(style.ellipsis) and \(rest)" + (isFull ? "" : " (--full)"))
    }
  }
}

extension Document.Shares.Row {
  /// The visits and the requests, each with its share of the whole.
  func figures(of whole: Traffic) -> [String] {
    [
      traffic.visits.grouped, traffic.visits.percent(of: whole.visits), traffic.requests.grouped,
      traffic.requests.percent(of: whole.requests),
    ]
  }
}

// MARK: - Tables

extension TextWriter {
  /// Writes the first rows of a table.
  ///
  /// Numbers come first, so that long values are at the end of a line. If the columns don't fit, each
  /// row is a paragraph.
  private mutating func write(_ table: DocumentTable) {
    guard table.count > 0 else { return }
    // A title that already has a table names that one.
    if hasTable { title(table.title, indent) }
    hasTable = true
    let rows = table.rows(top)
    let columns = table.columns.filter { column in
      !column.isNote && !column.isWide && rows.contains { !column.cell($0).isEmpty }
    }
    if columns.count == 1, let column = columns.first {
      lines += rows.map { SafeText.escaped(column.cell($0).text) }.joined(separator: "  ")
        .wrapped(width: style.width, indent: "  ")
    } else if !writeColumns(columns, rows) {
      for row in rows { write(row, columns) }
    }
    lines += style.more(table.count, top: top)
    for row in rows {
      for column in table.columns where column.isNote && !column.cell(row).isEmpty {
        let cell = column.cell(row)
        let name = row.first?.text ?? ""
        let remark = cell.remark.isEmpty ? "" : ", \(cell.remark)"
        lines += style.note(SafeText.escaped("\(name): \(column.word) \(cell.text)\(remark)"))
      }
    }
  }

  /// Returns text as the terminal can show it.
  private func shown(_ text: String) -> String {
    SafeText.escaped(style.hasBlocks ? text : text.replacing("→", with: "->"))
  }

  private static let pathWidth = 16

  /// Writes rows as lines, or returns `false` if their columns don't fit.
  private mutating func writeColumns(
    _ columns: [ColumnHeading], _ rows: [[TableValue]]
  ) -> Bool {
    let ordered = columns.filter(\.isNumber) + columns.filter { !$0.isNumber }
    var cells = [ordered.map(\.word)]
    cells += rows.map { row in ordered.map { shown($0.cell(row).text) } }
    let widths = ordered.indices.map { column in cells.map { $0[column].displayWidth }.max() ?? 0 }
    // Paths and rules share the width that others leave, from the widest one on.
    let long = ordered.indices.filter { ordered[$0].kind == .code }
    let fixed = ordered.indices.filter { !long.contains($0) }.map { widths[$0] }.reduce(0, +)
    var room = style.width - 2 * ordered.count - fixed
    guard room >= long.map({ min(widths[$0], Self.pathWidth) }).reduce(0, +) else { return false }
    var limits = widths
    for (place, column) in long.sorted(by: { widths[$0] < widths[$1] }).enumerated() {
      limits[column] = min(widths[column], room / (long.count - place))
      room -= limits[column]
    }
    let texts = cells.map { row in zip(row, limits).map { $0.shortened(to: $1) } }
    lines += texts.lines(
      numbers: Set(ordered.indices.filter { ordered[$0].isNumber }), flexible: long.last ?? 0,
      width: style.width)
    return true
  }

  /// Writes a row as a paragraph: its name, figures, then paths and rules.
  private mutating func write(_ row: [TableValue], _ columns: [ColumnHeading]) {
    guard let first = columns.first?.cell(row) else { return }
    let name = SafeText.escaped(first.text)
    lines.append("  " + style.bold(name.shortened(to: style.width - 2)))
    var words: [String] = []
    var places: [String] = []
    if !first.remark.isEmpty { places.append(first.remark) }
    for column in columns.dropFirst() where !column.cell(row).isEmpty {
      let (cell, title) = (column.cell(row), column.word)
      let (text, remark) = (cell.text, cell.remark.isEmpty ? "" : " (\(cell.remark))")
      switch column.kind {
      case .code: places.append("\(title): \(text)\(remark)")
      case .number, .share: words.append("\(title) \(text)")
      case .text, .marks, .link: words.append("\(title) \(text)\(remark)")
      }
    }
    let texts = (words.isEmpty ? [] : [words.joined(separator: ", ")]) + places
    for text in texts {
      lines += shown(text).wrapped(width: style.width, indent: "    ")
    }
  }
}

// MARK: - Findings

extension TextWriter {
  private mutating func writeStart(_ list: Document.FindingList) {
    gap()
    guard !list.first.isEmpty else { return lines.append(list.findings.noneSentence) }
    lines.append("\(style.bold(Document.FindingList.startTitle)) (\(list.startKey))")
    started = list.first
    for finding in started {
      let change = finding.changeWord.map { ": " + $0 } ?? ""
      let development = finding.development.map { $0 + change }
      write(finding, host: list.namesHosts ? finding.host : nil, development)
      let command =
        Self.lines(ofCommand: list.next(finding), width: style.width - 10)
        ?? [finding.explanation]
      lines += command.enumerated().map {
        ($0.offset == 0 ? "    Next: " : "          ") + $0.element
      }
    }
  }

  /// Returns a command in a few lines, all of which but the last end with a backslash, or `nil` if it
  /// needs more.
  static func lines(ofCommand parts: [String], width: Int) -> [String]? {
    var lines: [String] = []
    for part in parts {
      if let last = lines.last, last.displayWidth + 3 + part.displayWidth <= width {
        lines[lines.count - 1] = last + " " + part
      } else {
        lines.append((lines.isEmpty ? "" : "  ") + part)
      }
    }
    guard lines.count <= commandLimit, lines.allSatisfy({ $0.displayWidth + 2 <= width }) else {
      return nil
    }
    return lines.dropLast().map { $0 + " \\" } + lines.suffix(1)
  }

  private static let commandLimit = 4

  private mutating func write(
    _ finding: Finding, host: String? = nil, _ development: String?, more: String? = nil
  ) {
    let name = style.colored(finding.severity.rawValue, finding.severity)
    let room = style.width - finding.severity.rawValue.count - finding.code.count - 5 - 10
    let marks = [host.map(SafeText.escaped), finding.gain].compactMap(\.self)
      .joined(separator: ", ").shortened(to: max(8, room))
    lines.append(
      "  \(name) \(style.bold(finding.code))" + (marks.isEmpty ? "" : ": " + marks)
        + mark(finding))
    text(finding.message, limit: 2)
    if let development { text(development, limit: 1) }
    if isFull, let samples = samples(finding) { text("Seen: " + samples, limit: 1) }
    if let more { text(more, limit: 1) }
    text("To do: " + finding.remedy, limit: 2, style.dim)
  }

  private mutating func write(_ problem: Document.Problem) {
    let diagnostic = problem.diagnostic
    gap()
    lines.append(
      "  " + (problem.place.isEmpty ? "" : problem.place + "  ")
        + style.colored(diagnostic.severity.rawValue, diagnostic.severity) + " "
        + style.bold(diagnostic.code))
    lines += problem.excerpt(style.width - 4).map { "    " + style.dim($0) }
    for sentence in [diagnostic.message] + problem.related {
      wrap(SafeText.escaped(sentence), limit: .max, indent: "    ")
    }
    wrap(SafeText.escaped("To do: " + diagnostic.remedy), limit: .max, indent: "    ", style.dim)
    lines.append("")
  }

  private func mark(_ finding: Finding) -> String {
    if finding.isKnown == true { return style.dim(" (known)") }
    guard let change = finding.changeWord else { return "" }
    return finding.change == .better ? style.green(" (\(change))") : style.yellow(" (\(change))")
  }

  private mutating func text(_ text: String, limit: Int, _ color: (String) -> String = { $0 }) {
    wrap(SafeText.escaped(SafeText.readable(text)), limit: limit, indent: "    ", color)
  }

  /// Targets of the heaviest path group, or the places of lines.
  private func samples(_ finding: Finding) -> String? {
    let targets = finding.evidence.paths.first?.samples ?? []
    let texts = targets.isEmpty ? finding.evidence.logs : targets
    return texts.isEmpty ? nil : texts.joined(separator: " ")
  }

  private static let repetitions = 3

  /// Writes findings that aren't at the start, a limited number of each kind, and those that are gone.
  private mutating func write(_ list: Document.FindingList) {
    let others = list.findings.filter { !started.contains($0) }
    if others.isEmpty, list.gone.isEmpty, !list.findings.isEmpty { return }
    if others.count < list.findings.count {
      pendingTitle = pendingTitle.map { $0 == "Findings" ? "Other findings" : $0 }
    }
    flushTitle()
    if list.findings.isEmpty, list.gone.isEmpty {
      lines.append("  " + Document.FindingList.noneSentence)
    }
    func kind(_ finding: Finding) -> [String] { [finding.code, finding.severity.rawValue] }
    let sizes = Dictionary(grouping: others, by: kind).mapValues(\.count)
    var counts: [[String]: Int] = [:]
    let shown = others.compactMap { finding -> (finding: Finding, rest: Int)? in
      let kind = kind(finding)
      let count = counts[kind, default: 0] + 1
      counts[kind] = count
      guard count <= Self.repetitions else { return nil }
      // The last one that is shown speaks for those that are not.
      return (finding, count == Self.repetitions ? sizes[kind, default: 0] - count : 0)
    }
    for (finding, rest) in shown.prefix(top) {
      let more = rest > 0 ? "\(style.ellipsis) and \(rest.grouped) more like this" : nil
      write(finding, finding.development.map { $0 + "." }, more: more)
    }
    lines += style.more(shown.count, top: top)
    for finding in list.gone.prefix(top) {
      lines.append(
        "  \(style.green("gone")) \(finding.knownSeverity.rawValue) "
          + SafeText.escaped(finding.code))
      text(finding.message, limit: 3, style.dim)
    }
    lines += style.more(list.gone.count, top: top)
  }
}

extension ColumnHeading {
  /// The title as a word, such as `visits` or `iOS`.
  fileprivate var word: String {
    title.dropFirst().contains(where: \.isUppercase) ? title : title.lowercased()
  }
}
