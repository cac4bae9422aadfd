internal import Foundations

/// A format that is inferred from the lines of a log that no named format fits.
///
/// The lines are cut into columns, once for each possible delimiter. Each column is detected from
/// its values in all lines.
struct FormatInference {
  /// The values of a column of some lines, and the mark around them; see ``LineTokens/marks``.
  typealias Column = (values: [[UInt8]], mark: UInt8)

  /// The columns, which have the same number of values.
  let columns: [Column]

  /// The kinds of the values of each column, by line.
  let looks: [[ValueLooks]]

  /// The field of each column, or `nil` if it is ignored.
  var fields: [LogField?]

  private var format: LogFormat?

  private var beginsWithTime: Bool { fields.first == .time || fields.first == .date }

  /// The number of fields, of which a request is two: a method and a target.
  private var fieldCount: Int {
    fields.count { $0 != nil } + (fields.contains(.request) ? 1 : 0)
  }

  /// The minimum share of lines with the same columns, in hundredths.
  private static let leastShare = 50

  /// Infers the format of some lines.
  ///
  /// - Parameter lines: The lines, without the prefixes of collectors.
  /// - Returns: The format, or `nil` if the lines are not requests or are ambiguous.
  static func format(of lines: [[UInt8]]) -> LogFormat? {
    inferred(from: lines).flatMap { $0.leavesReferrers(in: lines) ? nil : $0 }
  }

  private static func inferred(from lines: [[UInt8]]) -> LogFormat? {
    let headless = lines.map { line in
      Array(line[(line.span.lineHeaderEnd ?? 0)...])
    }
    let behindHeaders = best(of: headless)
    // A timestamp can be the line's own.
    guard headless != lines, behindHeaders?.format?.fields?.contains(.time) != true,
      let whole = best(of: lines)
    else { return behindHeaders?.format }
    guard behindHeaders != nil || whole.beginsWithTime else { return nil }
    return (behindHeaders?.fieldCount ?? 0) >= whole.fieldCount
      ? behindHeaders?.format : whole.format
  }

  private static func best(of lines: [[UInt8]]) -> FormatInference? {
    let lines = lines.filter { !$0.isEmpty }
    guard !lines.isEmpty else { return nil }
    var best = betweenBlanks(lines)
    for delimiter in [UInt8(ascii: "|"), 0x09, UInt8(ascii: ","), UInt8(ascii: ";")] {
      guard let found = delimited(lines, by: delimiter) else { continue }
      if found.fieldCount >= best?.fieldCount ?? 0 { best = found }
    }
    return best
  }

  /// The lines that share the most common structure.
  private static func majority<Key: Hashable>(_ keys: [Key?]) -> [Int]? {
    var counts: [Key: Int] = [:]
    for case let key? in keys { counts[key, default: 0] += 1 }
    // Among equal ones, the one that comes first.
    guard let most = counts.values.max(), most * 100 >= keys.count * leastShare,
      let key = keys.first(where: { $0.map { counts[$0] == most } ?? false })
    else { return nil }
    return keys.indices.filter { keys[$0] == key }
  }

  /// The rows that share the most common texts between their values, and these texts, unless they
  /// hold values.
  private static func majority(of rows: [Row?]) -> (rows: [Row], texts: [[UInt8]])? {
    let allTexts = rows.map { $0.map(Self.texts) }
    guard let chosen = majority(allTexts), let first = chosen.first, let texts = allTexts[first],
      !texts.contains(where: holdsValue)
    else { return nil }
    return (chosen.compactMap { rows[$0] }, texts)
  }

  // MARK: - Blanks

  private static func betweenBlanks(_ lines: [[UInt8]]) -> FormatInference? {
    let allRows = lines.map { line in
      LineTokens(betweenBlanks: line.span).map { (line: line, tokens: $0) }
    }
    guard let (chosen, texts) = majority(of: allRows),
      !texts.contains(where: holdsOtherDelimiter)
    else { return nil }
    let columns = columns(of: chosen)
    guard !columns.contains(where: quotesOutside) else { return nil }
    if chosen.count < lines.count, holdsEmptyValue(texts) { return nil }
    // At the beginning of a line, a single blank is an empty value.
    func beginsBlank(_ texts: [[UInt8]]) -> Bool {
      texts.first?.contains(where: \.isBlank) ?? false
    }
    let others = allRows.compactMap { $0 }.filter { Self.texts($0) != texts }
    let areDifferent = others.contains { row in
      let others = Self.texts(row)
      return holdsEmptyValue(others) || beginsBlank(others) && !beginsBlank(texts)
    }
    // Other lines with as many values.
    let longRows = others.filter { $0.tokens.values.count >= columns.count }
    guard
      let inferred = FormatInference(
        chosen, columns, texts, besides: longRows, areDifferent: areDifferent),
      !inferred.cutsAgent
    else { return nil }
    let fields = inferred.fields
    // A query can follow a target where others have none.
    let hasMoreValues = longRows.contains { $0.tokens.values.count > columns.count }
    if hasMoreValues, fields.last == .target { return nil }
    // A time ends where nothing more can belong to it.
    let holdsMore = fields.indices.contains { column in
      (fields[column] == nil || fields[column] == .time)
        && chosen.contains { $0.tokens.holdsDelimitedValues(in: $0.line, at: column) }
    }
    return holdsMore ? nil : inferred
  }

  /// The columns of some lines that have as many values as the first one.
  private static func columns(of rows: [Row]) -> [Column] {
    guard let marks = rows.first?.tokens.marks else { return [] }
    return marks.enumerated().map { column, mark in
      (rows.map { Array($0.line[$0.tokens.values[column]]) }, mark)
    }
  }

  /// Returns whether the values in quotation marks are rather between them, because blanks end
  /// them, as where CSV holds lines of a log.
  private static func quotesOutside(_ column: Column) -> Bool {
    column.mark == UInt8(ascii: "\"")
      && column.values.allSatisfy { $0.count > 1 && ($0.first == 0x20 || $0.last == 0x20) }
  }

  /// Returns whether a text between values holds a delimiter and no blank, so that blanks are
  /// inside values.
  private static func holdsOtherDelimiter(_ text: [UInt8]) -> Bool {
    text.contains { ",;|".utf8.contains($0) } && !text.contains { $0.isBlank }
  }

  /// Returns whether two blanks between values, where there is one elsewhere, stand for a value
  /// that is empty in most lines.
  private static func holdsEmptyValue(_ texts: [[UInt8]]) -> Bool {
    let blanks = texts.dropFirst().dropLast().map { text in text.count { $0.isBlank } }
    return Set(blanks.filter { $0 > 0 }).count > 1
      || texts.last.map { text in text.contains { $0.isBlank } } ?? false
  }

  /// Returns whether a text between values holds something that can be a value itself, although it
  /// is the same in most lines.
  private static func holdsValue(_ text: [UInt8]) -> Bool {
    let marks = Array("\"'[](){}<>,;|=".utf8)
    return text.split { $0.isBlank || marks.contains($0) }.contains { word in
      Array(word).span.isAny(of: [
        .url, .browser, .product, .host, .address, .time, .day, .timeOfDay, .epoch, .number,
      ])
    }
  }

  /// A line, and its values.
  private typealias Row = (line: [UInt8], tokens: LineTokens)

  /// Returns whether a column that is ignored, or a time, has hosts of a site with labels before
  /// them or something glued to them, other than those of the host's column.
  private func holdsGluedHosts(_ rows: [Row]) -> Bool {
    let hosts = column(of: .host)
    return fields.indices.contains { column in
      guard fields[column] == nil || fields[column] == .time else { return false }
      var labels: Set<[UInt8]> = []
      for (line, tokens) in rows {
        let value = line.span.extracting(tokens.values[column])
        // The time in front of a line can be next to it.
        if fields[column] == .time,
          let blank = value.lastIndex(of: UInt8(ascii: " "), from: 0, to: value.count),
          value.extracting((blank + 1)..<value.count).holdsSiteName
        {
          return true
        }
        guard value.holdsSiteName, !value.isHostName else { continue }
        guard let hosts,
          let start = value.position(ofValue: Array(line[tokens.values[hosts]]))
        else { return true }
        labels.insert(Array(line[tokens.values[column]].prefix(start)))
      }
      // A label names another host than the column where it does so in any line, as in
      // `a,host=localhost` beside the name of the server.
      return rows.contains { line, tokens in
        guard let hosts else { return false }
        let (value, host) = (line[tokens.values[column]], line[tokens.values[hosts]])
        return labels.contains { label in
          !label.isEmpty && value.starts(with: label)
            && !value.dropFirst(label.count).starts(with: host)
        }
      }
    }
  }

  /// Returns whether an ignored column names the host in all rows that were chosen, and differs in
  /// others with the same columns, or may differ because others are different.
  ///
  /// Then one has the requested host, and the other the name of the server.
  private func tellsHostsApart(
    _ chosen: [Row], besides others: [Row] = [], areDifferent: Bool
  ) -> Bool {
    guard let host = column(of: .host) else { return false }
    func agree(_ row: Row, _ column: Int) -> Bool {
      row.line[row.tokens.values[column]] == row.line[row.tokens.values[host]]
    }
    return fields.indices.contains { column in
      fields[column] == nil && chosen.allSatisfy { agree($0, column) }
        && (areDifferent || !others.allSatisfy { agree($0, column) })
    }
  }

  /// The texts before each value and after the last one.
  private static func texts(_ row: Row) -> [[UInt8]] {
    let values = row.tokens.values
    return zip([0] + values.map(\.upperBound), values.map(\.lowerBound) + [row.line.count])
      .map { Array(row.line[$0..<$1]) }
  }

  /// Returns whether a user agent without quotation marks continues after a blank, as those of
  /// browsers do.
  private var cutsAgent: Bool {
    guard let agent = column(of: .agent), columns[agent].mark == 0 else { return false }
    // A browser's name has fewer bytes before its first blank.
    return !columns[agent].values.contains { $0.count > 20 && $0.span.contains("Mozilla/") }
  }

  /// Treats labels that are the same in all lines, as in `rt=0.005`, as text.
  ///
  /// - Returns: The labels by column, or `nil` if one is repeated, as it is in an interleaved line.
  private static func moveLabels(
    in columns: inout [Column], _ texts: inout [[UInt8]]
  ) -> [Int: [UInt8]]? {
    var labels: [Int: [UInt8]] = [:]
    for (number, column) in columns.enumerated() {
      guard column.mark == 0 || column.values.contains(where: { $0.span.isLabeledHost }),
        let first = column.values.first, let length = first.span.labelLength
      else { continue }
      let label = Array(first[..<length])
      guard
        column.values.allSatisfy({ value in
          // A query has several names, and a URL a path.
          value.starts(with: label) && !value.contains(UInt8(ascii: "&"))
            && !(label.last == UInt8(ascii: "/") && value[length...].contains(UInt8(ascii: "/")))
        })
      else { continue }
      guard !labels.values.contains(label) else { return nil }
      labels[number] = label
      texts[number] += label
      columns[number].values = column.values.map { Array($0[length...]) }
    }
    return labels
  }

  /// Labels that are not the names of parameters.
  private static let knownLabels: Set<String> = [
    "rt", "urt", "uct", "uht", "ut", "us", "cs", "len", "time", "dur", "duration", "request_time",
    "upstream_response_time", "upstream_time", "bytes", "size", "ref", "referer", "referrer", "ua",
    "agent", "user_agent", "host", "vhost", "status", "method", "xff", "cache", "pid", "rid",
    "request_id", "trace", "sn", "addr", "ip", "user",
  ]

  /// Returns whether a label can be the name of a parameter, which all queries share, because no
  /// target has a query.
  ///
  /// Where another column has queries, as bodies are written, the one next to the target is certain.
  private func mayLackQuery(_ labels: [Int: [UInt8]]) -> Bool {
    guard let target = column(of: .target), labels[target] == nil, !targetsHaveQueries else {
      return false
    }
    if let query = column(of: .query) {
      // `sn=a,host=www.example.com`
      if labels[query] != nil { return true }
      if query == target + 1 { return false }
    }
    return labels.contains { column, label in
      fields[column] == nil
        && !Self.knownLabels.contains(
          String(decoding: label.dropLast(), as: UTF8.self).lowercased())
    }
  }

  // MARK: - Other delimiters

  private static func delimited(_ lines: [[UInt8]], by delimiter: UInt8) -> FormatInference? {
    guard lines.count(where: { $0.contains(delimiter) }) * 100 >= lines.count * leastShare else {
      return nil
    }
    let hasDoubled = lines.contains { line in
      line.span.contains("\"\"") && !line.span.contains("\\\"")
    }
    let tokens = lines.map {
      LineTokens($0.span, delimiter: delimiter, doublesQuotes: hasDoubled)
    }
    for (line, tokens) in zip(lines, tokens)
    where tokens.holdsGluedValues(in: line.span, hasDoubledQuotes: hasDoubled) {
      return nil
    }
    if let joined = joined(lines, tokens) { return joined }
    guard let chosen = majority(tokens.map { Optional($0.values.count) }) else { return nil }
    var rows = chosen.map { (line: lines[$0], tokens: tokens[$0]) }
    let names = rows.first.flatMap { Self.names($0) }
    if names != nil { rows.removeFirst() }
    // Quotation marks are written only where needed.
    let columns = columns(of: rows).map { (values: $0.values, mark: UInt8(0)) }
    guard var inferred = FormatInference(columns, names: names) else { return nil }
    // Columns have no marks or labels next to hosts.
    let areDifferent = names == nil && tokens.contains { $0.values.count > columns.count }
    guard !inferred.holdsGluedHosts(rows),
      !inferred.tellsHostsApart(rows, areDifferent: areDifferent)
    else { return nil }
    let fields = inferred.fields
    let layout = ColumnLayout(
      columns: fields, minimumCount: fields.count, separator: .exactly(delimiter),
      doublesQuotes: hasDoubled, hasAllColumns: true)
    let mark = delimiter == 0x09 ? "\\t" : String(decoding: [delimiter], as: UTF8.self)
    let notation = fields.map { LineTemplate().notation(of: .field($0)) }
      .joined(separator: mark)
    inferred.format = LogFormat(LogFormat.templateName, notation, .columns(layout))
    return inferred
  }

  /// Infers the format of lines in which user agents hold the delimiter, in parentheses, or in which
  /// values have marks around them or hosts have labels.
  ///
  /// - Returns: The format, or `nil` if columns suffice, or if it isn't certain.
  private static func joined(_ lines: [[UInt8]], _ tokens: [LineTokens]) -> FormatInference? {
    let rows = zip(lines, tokens).map { (line: $0, tokens: $1.joiningParentheses(in: $0.span)) }
    guard
      zip(tokens, rows).contains(where: { $0.values != $1.tokens.values })
        || zip(tokens, lines).contains(where: { tokens, line in
          tokens.values.contains { line.span.extracting($0).isLabeledHost }
        })
    else { return nil }
    guard let (chosen, texts) = majority(of: rows) else { return nil }
    let columns = columns(of: chosen)
    let longLines = rows.count { $0.tokens.values.count >= columns.count }
    return FormatInference(chosen, columns, texts, areDifferent: longLines > chosen.count)
  }

  /// The names of columns in a heading.
  ///
  /// Exports of logs in JSON write full stops between keys, as in `httpRequest.status`; Azure's leave
  /// out `properties`.
  private static let columnNames = JSONKeyTree(
    joining: [LogFormat.nginxJSON, .cloudflare, .googleLoadBalancer, .azureGateway]
      .flatMap(\.jsonPaths)
      .filter { $0.field != .message }
      .map { path in
        var path = path
        path.keys.removeAll { $0 == "properties" }
        return path
      })

  /// The fields that a heading names, or `nil` if the line isn't a heading.
  private static func names(_ row: Row) -> [LogField?]? {
    // Some names have blanks; in `TimeGenerated [UTC]`, a zone follows.
    let zone = Array(" [UTC]".utf8)
    let names = row.tokens.values.map { range in
      let name = row.line[range]
      return (name.suffix(zone.count).elementsEqual(zone) ? name.dropLast(zone.count) : name)
        .map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "_") : $0 }
    }
    guard names.allSatisfy({ $0.span.isColumnName }) else { return nil }
    let fields = columnNames.fields(of: names)
    guard fields.contains(.status), fields.contains(.target) || fields.contains(.request) else {
      return nil
    }
    return fields
  }
}

extension FormatInference {
  /// Infers a template from rows with the same texts between their values, or nothing if it isn't
  /// certain.
  private init?(
    _ rows: [Row], _ columns: [Column], _ texts: [[UInt8]], besides others: [Row] = [],
    areDifferent: Bool
  ) {
    var (columns, texts) = (columns, texts)
    guard let labels = Self.moveLabels(in: &columns, &texts) else { return nil }
    self.init(columns)
    guard !mayLackQuery(labels), !holdsGluedHosts(rows),
      !tellsHostsApart(rows, besides: others, areDifferent: areDifferent)
    else { return nil }
    var template = LineTemplate()
    // A user agent without quotation marks ends where the columns after it begin.
    let hasBareAgent = column(of: .agent).map { columns[$0].mark == 0 } ?? false
    let last = hasBareAgent ? fields.count - 1 : fields.lastIndex { $0 != nil } ?? 0
    for column in 0...last {
      template.add(texts[column])
      let isCommonTime =
        fields[column] == .time
        && looks[column].allSatisfy { $0.contains(.commonTime) }
      template.elements.append(isCommonTime ? .commonTime : .field(fields[column]))
    }
    let rest = texts[last + 1]
    if last + 1 < columns.count {
      // Later columns aren't needed, and may be absent.
      let closing = rest.prefix { !$0.isBlank }
      template.add(closing.isEmpty ? rest.prefix(1) : closing)
      template.elements.append(.field(nil))
    } else {
      template.add(rest)
    }
    let notation = template.elements.map { template.notation(of: $0) }.joined()
    format = LogFormat(LogFormat.templateName, notation, .template(TemplateLineParser(template)))
  }
}

extension LogFormat {
  /// Returns whether this format has no referrer, although some requests have a URL of their own
  /// besides the target and the user agent.
  ///
  /// In most lines, the referrer can be absent.
  fileprivate func leavesReferrers(in lines: [[UInt8]]) -> Bool {
    guard let fields, !fields.contains(.referrer) else { return false }
    var parser = LogParser(self)
    return lines.contains { line in
      parser.reset()
      let urls = line.span.urlCount
      guard urls > 0, case .request(let record) = parser.parse(line.span) else { return false }
      let text = parser.text.span
      return urls > (text.extracting(record.target).beginsAsURL ? 1 : 0)
        + (record.agent.map { text.extracting($0).urlCount } ?? 0)
    }
  }
}

extension Span<UInt8> {
  /// The number of URLs behind a delimiter or a mark.
  fileprivate var urlCount: Int {
    var (search, urls) = (0, 0)
    while let found = position(of: "://", from: search) {
      search = found + 3
      var start = found
      while start > 0, self[start - 1].isLetter || self[start - 1] == UInt8(ascii: "-") {
        start -= 1
      }
      if start < found, start > 0, "\" ,;|\t".utf8.contains(self[start - 1]) { urls += 1 }
    }
    return urls
  }

  fileprivate var isColumnName: Bool {
    guard count > 0, count <= 64, self[0].isLetter || "@$#".utf8.contains(self[0]) else {
      return false
    }
    return indices.allSatisfy { self[$0].isInHostLabel || " .()$@#".utf8.contains(self[$0]) }
  }
}

extension LineTemplate {
  /// Returns an element in nginx's notation.
  fileprivate func notation(of element: Element) -> String {
    switch element {
    case .text(let range): String(decoding: texts[range], as: UTF8.self)
    case .commonTime: "$time_local"
    case .field(.time): "$time_iso8601"
    case .field(.request): "$request"
    case .field(.method): "$request_method"
    case .field(.target): "$request_uri"
    case .field(.query): "$args"
    case .field(.status): "$status"
    case .field(.host): "$host"
    case .field(.referrer): "$http_referer"
    case .field(.agent): "$http_user_agent"
    case .field(.size): "$body_bytes_sent"
    default: "$ignored"
    }
  }
}
