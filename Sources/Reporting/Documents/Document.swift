internal import LinkAuditing
internal import UniversalLinks

/// A report for people: a value that text, pages and Markdown write, each in its own way.
///
/// Words and their order belong to the document. Widths, bars, folding, escaping, and the number of
/// rows belong to the writers.
package struct Document {
  /// The words before the subject in the title, such as `changes for`; empty if there are none.
  var relation = ""
  let subject: Prose

  /// The first and the last day, or `nil` if no request has a time.
  var period: String?

  /// The files and logs that the report is about; those without a name belong to the title.
  var sources: [Fact] = []

  /// The filter in force; empty if all requests count.
  var filter = ""

  /// The part that everybody reads: on its own in a short text, and unfolded in a page.
  ///
  /// Without one, the sections are entries of a list, each about a file or a host. A text has the
  /// subject at its end then, below several entries, where a terminal shows it.
  var start: [Block] = []
  let sections: () -> [Section]
}

extension Document {
  enum Block {
    /// A heading inside a section, and a figure after it.
    case heading(Prose, key: String = "")
    case paragraph(Prose, Tone = .plain)
    case list([Prose])
    case facts([Fact])
    case shares(Shares)
    case table(DocumentTable)
    case findings(FindingList)
    case problems([Problem])

    /// Lines to paste, which are never wrapped.
    case code([String])

    /// Traffic by day, which is drawn if possible.
    case days(SiteAudit, DocumentTable)

    /// The heaviest ways between pages, which are drawn if possible; a table has their figures.
    case flow([PagePair])
    case section(Section)
  }

  /// The weight of a paragraph.
  enum Tone {
    /// The outcome in a few sentences.
    case lead
    case plain

    /// A remark that explains figures.
    case hint

    /// A problem that makes figures doubtful.
    case alarm
  }

  struct Fact {
    let name: String
    let values: [Prose]

    /// The verdict that the name is, which has its color.
    var verdict: Verdict?

    init(_ name: String, _ values: Prose...) { self.init(name, values) }
    init(_ name: String, _ values: [Prose]) { (self.name, self.values) = (name, values) }

    init(_ verdict: Verdict, _ values: [Prose]) {
      self.init(verdict.rawValue, values)
      self.verdict = verdict
    }
  }

  /// A problem of a file or of its delivery.
  struct Problem {
    let diagnostic: any Diagnostic

    /// The line and the column, such as `3:14`, or the server; empty if it has no place.
    let place: String

    /// Returns the line with marks below the part concerned, in some columns.
    var excerpt: (_ width: Int) -> [String] = { _ in [] }
    var related: [String] = []
  }

  /// Some blocks with a title, which are made when a writer needs them.
  package struct Section {
    /// The place of a section among others.
    enum Form {
      /// The section is never folded.
      case open
      case folded

      /// A report on one of several sites, whose sections are its own.
      case part

      /// Parts that are folded together.
      case group

      /// An entry of a list; its main figure closes it, or follows the title if that is all.
      case entry
    }

    let id: String
    let title: Prose

    /// The main figure, which is shown before the section is opened; empty if there is none.
    var key = ""
    var form = Form.folded
    let blocks: () -> [Block]
  }

  /// Parts of some traffic, each with its share of the whole and a bar.
  struct Shares {
    let title: String
    let whole: Traffic
    let rows: [Row]

    /// The parts that were left out, such as `8 more causes`.
    var rest: String?

    struct Row {
      let name: String
      let traffic: Traffic

      /// The meaning in a few words, or `nil` if the name is enough.
      let meaning: String?

      /// The verdict whose color and pattern the part has.
      let verdict: Verdict?

      /// Whether this is a part of the row before it.
      let isNested: Bool

      /// Whether only a full text has room for it.
      let isDetail: Bool

      init(
        _ name: String, _ traffic: Traffic, _ verdict: Verdict? = nil, meaning: String? = nil,
        isNested: Bool = false, isDetail: Bool = false
      ) {
        (self.name, self.traffic, self.verdict) = (name, traffic, verdict)
        (self.meaning, self.isNested, self.isDetail) = (meaning, isNested, isDetail)
      }
    }
  }

  struct FindingList {
    let findings: [Finding]

    /// Whether these are all findings of the document, of which the most important ones are shown.
    var isStart = false
    var namesHosts = false

    /// The comparison with an earlier report, and its findings for this place that are gone.
    var change: AuditChange?
    var gone: [FindingRecord] = []

    /// Returns the words of the command to run next for a finding, options with their values.
    var next: (Finding) -> [String] = { [$0.explanation] }

    static let startTitle = "Start here"
    var first: [Finding] { findings.start }

    /// The number of findings at the start, such as `3 of 16 findings: 5 warnings, 11 notes`.
    var startKey: String { "\(first.count) of \(findings.counts)" }

    static let noneSentence = "None about this site."
  }
}

extension Document {
  /// The greatest number of apps of a list that are named.
  private static let appLimit = 20

  static func names(of apps: [ApplicationIdentifier]) -> Prose {
    let names = apps.prefix(appLimit).map { Prose("\(code: $0.text)") }
    let rest = apps.count - names.count
    return names.dropFirst().reduce(names.first ?? "") { $0 + ", " + $1 }
      + (rest > 0 ? " and \(rest.counted("more app"))" : "")
  }
}

/// Text with code in it.
struct Prose: ExpressibleByStringInterpolation, StringInterpolationProtocol {
  enum Run {
    case text(String)
    case code(String)
    case path(String)
    case link(String, to: String)
  }

  private(set) var runs: [Run] = []

  init(_ text: String) { runs = [.text(text)] }
  init(stringLiteral text: String) { self.init(text) }
  init(stringInterpolation prose: Prose) { self = prose }
  init(literalCapacity: Int, interpolationCount: Int) {}

  mutating func appendLiteral(_ text: String) {
    if !text.isEmpty { runs.append(.text(text)) }
  }

  mutating func appendInterpolation(_ text: String) { appendLiteral(text) }
  mutating func appendInterpolation(code text: String) { runs.append(.code(text)) }
  mutating func appendInterpolation(path: String) { runs.append(.path(path)) }
  mutating func appendInterpolation(link title: String, to id: String) {
    runs.append(.link(title, to: id))
  }

  static func + (one: Prose, other: Prose) -> Prose {
    var prose = one
    prose.runs += other.runs
    return prose
  }

  /// The text without marks, with paths that people can read; it isn't safe to show yet.
  var text: String {
    runs.map { run in
      switch run {
      case .text(let text), .code(let text), .link(let text, _): text
      case .path(let path): SafeText.readable(path)
      }
    }.joined()
  }
}

struct DocumentTable {
  let title: String

  /// The rows in a sentence or two, for pages; empty if the title or the section says it.
  var about = ""

  /// The headings of the columns, in the order in which people see them.
  let columns: [ColumnHeading]
  let count: Int

  /// The number of rows that a page may hold.
  var limit = Int.max
  private let cells: (Int) -> [TableValue]

  /// Creates a table with the columns that have a heading.
  init<Element>(_ title: String, _ columns: [TableColumn<Element>], _ elements: [Element]) {
    (self.title, count) = (title, elements.count)
    var shown: [(heading: ColumnHeading, value: (Element) -> TableValue?)] = []
    for column in columns {
      guard let heading = column.heading else { continue }
      shown.insert((heading, column.shown), at: max(0, shown.count - heading.before))
    }
    shown = shown.filter { !$0.heading.isNote } + shown.filter(\.heading.isNote)
    self.columns = shown.enumerated().map { index, column in
      var heading = column.heading
      heading.index = index
      return heading
    }
    let values = shown.map(\.value)
    cells = { index in values.map { $0(elements[index]) ?? TableValue.none } }
  }

  func rows(_ limit: Int) -> [[TableValue]] { (0..<min(limit, count)).map(cells) }

  /// Returns the columns that some rows fill: notes only if a row has one.
  func columns(filledBy rows: [[TableValue]]) -> [ColumnHeading] {
    columns.filter { column in !column.isNote || rows.contains { !column.cell($0).isEmpty } }
  }
}
