internal import FoundationSubset
internal import Foundations
internal import LinkAuditing
internal import UniversalLinks

/// The answers of sites for rows, with the space that a worker needs again and again.
package struct StreamAnswers: Sendable {
  /// The columns of an answer.
  package enum Column: String, CaseIterable, Sendable {
    case verdict
    case app
    case detail
    case rule
  }

  /// The answers for some rows, which are numbered from 1: the number of rows, that of rows that could
  /// not be read, the first of them with the reason, and the first path for which no host is named.
  package typealias Answers = (
    text: [UInt8], rows: Int, unread: Int, firstUnread: (row: Int, reason: String)?,
    firstPath: Int?
  )

  /// The greatest number of bytes of a row.
  package static let rowLimit = 1 << 20

  private let sites: [MatchSite]
  private let form: StreamForm
  private let columns: [Column]
  private let repeatsRows: Bool

  /// `https://` and the host of paths, if there is one.
  private let pathPrefix: [UInt8]
  private var url = LinkURL()
  private var text: [UInt8] = []

  /// One for each site, because it keeps states of the site's automata.
  private var evaluations: [Evaluation]

  /// The answers that have been given, as text: there are few.
  private var known: [Key: [UInt8]] = [:]

  private struct Key: Hashable {
    var site: Int
    var verdict: Verdict
    var rule: Int
  }

  /// Creates the answers of sites in a form, with some columns, after each row if it is repeated.
  package init(sites: [MatchSite], form: StreamForm, columns: [Column], repeatsRows: Bool) {
    (self.form, self.columns, self.repeatsRows) = (form, columns, repeatsRows)
    self.sites = sites.inOrderOfHosts
    evaluations = sites.map { _ in Evaluation() }
    pathPrefix = (sites.compactMap(\.host).onlyHost).map { Array("https://\($0)".utf8) } ?? []
  }

  /// Answers the rows in a range of a text, each with its line feed.
  package mutating func answer(_ bytes: [UInt8], _ lines: Range<Int>) -> Answers {
    var answers: Answers = ([], 0, 0, nil, nil)
    answers.text.reserveCapacity(lines.count)
    let span = bytes.span
    var start = lines.lowerBound
    while start < lines.upperBound {
      let lineFeed =
        span.firstIndex(of: 0x0A, from: start, to: lines.upperBound) ?? lines.upperBound
      let hasReturn = lineFeed > start && span[lineFeed - 1] == 0x0D
      let row = span.extracting(start..<(hasReturn ? lineFeed - 1 : lineFeed))
      start = lineFeed + 1
      text.removeAll(keepingCapacity: true)
      let isRead = row.count <= Self.rowLimit && form.findURL(in: row, &text)
      answers.rows += 1
      if !isRead {
        answers.unread += 1
        answers.firstUnread = answers.firstUnread ?? (answers.rows, form.unreadReason)
      }
      if text.first == UInt8(ascii: "/"), pathPrefix.isEmpty {
        answers.firstPath = answers.firstPath ?? answers.rows
      }
      form.append(answer(), after: repeatsRows && isRead ? row : nil, to: &answers.text)
    }
    return answers
  }

  private mutating func answer() -> [UInt8] {
    if text.first == UInt8(ascii: "/"), !pathPrefix.isEmpty {
      text.insert(contentsOf: pathPrefix, at: 0)
    }
    let site = sites.find(text, &url)
    let matcher = sites[site].matcher
    matcher.evaluate(&url, into: &evaluations[site])
    let verdict = evaluations[site].siteVerdict
    let rule = matcher.decidingRule(with: verdict, evaluations[site])
    let key = Key(site: site, verdict: verdict, rule: rule ?? -1)
    if let answer = known[key] { return answer }
    let app = rule.flatMap { rule in
      let list = matcher.ruleList(ofRule: rule)
      return matcher.apps.first { $0.ruleList == list }
    }
    let list = app.map { matcher.ruleLists[$0.ruleList] }
    let values = columns.map { column -> (name: String, value: TableValue) in
      switch column {
      case .verdict: (column.rawValue, .text(verdict.rawValue))
      case .app: (column.rawValue, .text(app?.identifier.text))
      case .detail: (column.rawValue, list?.systemEntry.value ?? .none)
      case .rule: (column.rawValue, .number(rule.flatMap { list?.id(ofRule: $0).position }))
      }
    }
    let bytes = form.text(of: values)
    known[key] = bytes
    return bytes
  }
}

/// The rows of `match --stream`: where a row has its URL, and how an answer is written.
package enum StreamForm: String, CaseIterable, Sendable {
  /// Values separated by tabs, the first of which is the URL.
  case tsv

  /// Objects of JSON whose member `url` is the URL.
  case jsonl

  /// The reason why a row has no readable URL, in words that follow it.
  fileprivate var unreadReason: String {
    switch self {
    case .tsv: "is too long"
    case .jsonl: "is not an object with the text 'url', or is too long"
    }
  }

  /// Finds the URL of a row, if it has one, with its escapes decoded; `url` is empty before.
  func findURL(in row: Span<UInt8>, _ url: inout [UInt8]) -> Bool {
    switch self {
    case .tsv:
      row.appendValue(to: &url)
      return true
    case .jsonl:
      if row.appendURL(to: &url) { return true }
      url.removeAll(keepingCapacity: true)
      return false
    }
  }

  /// Returns the values of an answer: separated by tabs, as ClickHouse's `TabSeparated` has them, or
  /// as an object of JSON; the value alone if there is one column.
  func text(of answer: [(name: String, value: TableValue)]) -> [UInt8] {
    switch self {
    case .tsv:
      let values = answer.map { $0.value.isNone ? #"\N"# : Self.escaped($0.value.cell) }
      return Array(values.joined(separator: "\t").utf8)
    case .jsonl:
      var bytes: [UInt8] = []
      var json = JSONWriter(.compact) { bytes += $0 }
      let members = Dictionary(answer) { first, _ in first }.sorted { $0.key < $1.key }
      json.object { json in for (name, value) in members { value.write(name, to: &json) } }
      // Writing to memory does not fail.
      try? json.finish()
      let name = answer.count == 1 ? #"{"\#(answer[0].name)":"# : ""
      return Array(bytes.dropFirst(name.utf8.count).dropLast(name.isEmpty ? 1 : 2))
    }
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: #"\\"#).replacing("\t", with: #"\t"#)
      .replacing("\n", with: #"\n"#).replacing("\r", with: #"\r"#)
  }

  /// Appends an answer, after its row if that is repeated and can be read.
  func append(_ answer: [UInt8], after row: Span<UInt8>?, to output: inout [UInt8]) {
    switch self {
    case .tsv:
      if let row {
        row.append(to: &output)
        output.append(0x09)
      }
      output += answer
    case .jsonl:
      if let row, let end = row.lastIndex(of: UInt8(ascii: "}"), from: 0, to: row.count) {
        row.extracting(0..<end).append(to: &output)
        output.append(UInt8(ascii: ","))
      } else {
        output.append(UInt8(ascii: "{"))
      }
      output += #""result":"#.utf8
      output += answer
      output.append(UInt8(ascii: "}"))
    }
    output.append(0x0A)
  }
}

extension Span<UInt8> {
  private static var backslash: UInt8 { UInt8(ascii: "\\") }

  /// Appends the value up to the first tab, with the escapes of ClickHouse's `TabSeparated`
  /// decoded; `\N` appends nothing.
  fileprivate func appendValue(to output: inout [UInt8]) {
    let value = extracting(0..<(firstIndex(of: 0x09) ?? count))
    if value.count == 2, value.begins(with: "\\N") { return }
    let isWhole = value.appendUnescaped(to: &output) { letter, _, output in
      output.append(letter == UInt8(ascii: "0") ? 0 : letter.escapedControl ?? letter)
      return true
    }
    if !isWhole { output.append(Self.backslash) }
  }

  /// Appends these bytes, with each backslash and the letter after it as a closure appends them, and
  /// returns whether no backslash ends them and the closure has always returned `true`.
  ///
  /// The closure gets the position after the letter, and can move it.
  private func appendUnescaped(
    to output: inout [UInt8],
    _ escape: (_ letter: UInt8, _ next: inout Int, _ output: inout [UInt8]) -> Bool
  ) -> Bool {
    var index = 0
    while let backslash = firstIndex(of: Self.backslash, from: index) {
      extracting(index..<backslash).append(to: &output)
      guard backslash + 1 < count else { return false }
      index = backslash + 2
      guard escape(self[backslash + 1], &index, &output) else { return false }
    }
    extracting(index..<count).append(to: &output)
    return true
  }

  /// Appends the text of the member `url` of an object, if these bytes are an object with one; `null` is
  /// an empty text.
  fileprivate func appendURL(to output: inout [UInt8]) -> Bool {
    var (position, isFound) = (0, false)
    guard take("{", &position) else { return false }
    repeat {
      guard let key = takeString(&position), take(":", &position) else { return false }
      guard key.count == 3, begins(with: "url", at: key.lowerBound) else {
        guard skipValue(&position) else { return false }
        continue
      }
      output.removeAll(keepingCapacity: true)
      isFound = true
      if let text = takeString(&position) {
        guard extracting(text).appendUnescapedJSON(to: &output) else { return false }
      } else {
        guard begins(with: "null", at: position) else { return false }
        position += 4
      }
    } while take(",", &position)
    guard take("}", &position) else { return false }
    skipBlanks(&position)
    return isFound && position == count
  }

  private func skipBlanks(_ position: inout Int) {
    while position < count, self[position].isBlank || self[position] == 0x0D { position += 1 }
  }

  /// Skips blanks and then a byte, and returns whether it was there.
  private func take(_ byte: Unicode.Scalar, _ position: inout Int) -> Bool {
    skipBlanks(&position)
    guard position < count, self[position] == UInt8(ascii: byte) else { return false }
    position += 1
    return true
  }

  /// Skips blanks and then a string, and returns the range between its quotes, or `nil` if no whole
  /// string is there.
  private func takeString(_ position: inout Int) -> Range<Int>? {
    guard take("\"", &position) else { return nil }
    let start = position
    while position < count, self[position] != UInt8(ascii: "\"") {
      position += self[position] == Self.backslash ? 2 : 1
    }
    return take("\"", &position) ? start..<(position - 1) : nil
  }

  /// Skips blanks and then a value, and returns whether it was there; objects and arrays are checked
  /// for their nesting only.
  private func skipValue(_ position: inout Int) -> Bool {
    var depth = 0
    skipBlanks(&position)
    repeat {
      guard position < count else { return false }
      switch self[position] {
      case UInt8(ascii: "\""):
        guard takeString(&position) != nil else { return false }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        // The end of what holds the value, which is missing.
        guard depth > 0 else { return false }
        depth -= 1
        position += 1
      default:
        let start = position
        while position < count, !self[position].endsScalar { position += 1 }
        // Within brackets, all that separates values.
        if position == start {
          guard depth > 0 else { return false }
          position += 1
        }
      }
    } while depth > 0
    return true
  }

  /// Appends these bytes, the inside of a string of JSON, with its escapes undone, if all are valid.
  private func appendUnescapedJSON(to output: inout [UInt8]) -> Bool {
    appendUnescaped(to: &output) { letter, next, output in
      switch letter {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): output.append(letter)
      case UInt8(ascii: "u"):
        guard let scalar = escapedScalar(at: &next) else { return false }
        output += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      default:
        guard let control = letter.escapedControl else { return false }
        output.append(control)
      }
      return true
    }
  }
}

extension UInt8 {
  fileprivate var endsScalar: Bool {
    switch self {
    case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: "\""),
      UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"), 0x20, 0x09, 0x0D:
      true
    default: false
    }
  }
}
