internal import Foundations

/// A format that is inferred from the lines of a log that no named format fits.
///
/// The lines are cut into columns, once for each possible delimiter. Each column is detected from
/// its values in all lines.
struct FormatInference {
  let format: LogFormat
  private let fieldCount: Int
  private let beginsWithTime: Bool

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
    guard headless != lines, behindHeaders?.format.fields?.contains(.time) != true,
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

  private init(_ format: LogFormat, _ fields: [LogField?]) {
    self.format = format
    // A request is a method and a target.
    beginsWithTime = fields.first == .time || fields.first == .date
    fieldCount = fields.count { $0 != nil } + (fields.contains(.request) ? 1 : 0)
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

  // MARK: - Blanks

  private static func betweenBlanks(_ lines: [[UInt8]]) -> FormatInference? {
    let tokens = lines.map { LineTokens(betweenBlanks: $0.span) }
    let allTexts = zip(lines, tokens).map { line, tokens in
      tokens.map { Self.texts(between: $0.values, of: line) }
    }
    guard let chosen = majority(allTexts), let first = chosen.first, var texts = allTexts[first]
    else { return nil }
    guard !texts.contains(where: holdsValue), !texts.contains(where: holdsOtherDelimiter) else {
      return nil
    }
    let rows = chosen.compactMap { line in tokens[line].map { (line: lines[line], tokens: $0) } }
    var columns = columns(of: rows)
    guard !columns.contains(where: quotesOutside), let labels = moveLabels(in: &columns, &texts),
      let roles = ColumnRoles(columns), !cutsAgent(roles), !mayLackQuery(roles, labels)
    else { return nil }
    // A time ends where nothing more can belong to it.
    for column in roles.fields.indices
    where roles.fields[column] == nil || roles.fields[column] == .time {
      if rows.contains(where: { $0.tokens.holdsDelimitedValues(in: $0.line, at: column) }) {
        return nil
      }
    }
    guard !holdsGluedHosts(rows, roles.fields) else { return nil }
    let hasMoreValues = tokens.contains { $0.map { $0.values.count > columns.count } ?? false }
    let others = Set(tokens.indices).subtracting(chosen)
    // Other lines with as many values.
    let otherRows = others.compactMap { line in
      tokens[line].flatMap { $0.values.count < columns.count ? nil : (lines[line], $0) }
    }
    if !others.isEmpty, holdsEmptyValue(texts) { return nil }
    // At the beginning of a line, a single blank is an empty value.
    func beginsBlank(_ line: Int) -> Bool {
      allTexts[line]?.first?.contains(where: \.isBlank) ?? false
    }
    let areDifferent = others.contains { line in
      allTexts[line].map(holdsEmptyValue) ?? false || beginsBlank(line) && !beginsBlank(first)
    }
    if tellsHostsApart(rows, besides: otherRows, roles.fields, areDifferent: areDifferent) {
      return nil
    }
    // A query can follow a target where others have none.
    if hasMoreValues, roles.fields.last == .target { return nil }
    return FormatInference(texts, roles)
  }

  /// The columns of some lines that have as many values as the first one.
  private static func columns(of rows: [Row]) -> [Column] {
    guard let marks = rows.first?.tokens.marks else { return [] }
    return marks.enumerated().map { column, mark in
      Column(rows.map { Array($0.line[$0.tokens.values[column]]) }, mark: mark)
    }
  }

  /// Returns a Boolean value indicating whether the values in quotation marks are rather between them,
  /// because blanks end them, as where CSV holds lines of a log.
  private static func quotesOutside(_ column: Column) -> Bool {
    column.mark == UInt8(ascii: "\"")
      && column.values.allSatisfy { $0.count > 1 && ($0.first == 0x20 || $0.last == 0x20) }
  }

  /// Returns a Boolean value indicating whether a text between values holds a delimiter and no blank,
  /// so that blanks are inside values.
  private static func holdsOtherDelimiter(_ text: [UInt8]) -> Bool {
    text.contains { ",;|".utf8.contains($0) } && !text.contains { $0.isBlank }
  }

  /// Returns a Boolean value indicating whether two blanks between values, where there is one
  /// elsewhere, stand for a value that is empty in most lines.
  private static func holdsEmptyValue(_ texts: [[UInt8]]) -> Bool {
    let blanks = texts.dropFirst().dropLast().map { text in text.count { $0.isBlank } }
    return Set(blanks.filter { $0 > 0 }).count > 1
      || texts.last.map { text in text.contains { $0.isBlank } } ?? false
  }

  /// Returns a Boolean value indicating whether a text between values holds something that can be
  /// a value itself, although it is the same in most lines.
  private static func holdsValue(_ text: [UInt8]) -> Bool {
    let marks = Array("\"'[](){}<>,;|=".utf8)
    return text.split { $0.isBlank || marks.contains($0) }.contains { word in
      !ValueLooks(Array(word).span).isDisjoint(with: [
        .url, .browser, .product, .host, .address, .time, .day, .timeOfDay, .epoch, .number,
      ])
    }
  }

  /// A line, and its values.
  private typealias Row = (line: [UInt8], tokens: LineTokens)

  /// Returns a Boolean value indicating whether a column that is ignored, or a time, has hosts of a
  /// site with labels before them or something glued to them, other than those of the host's column.
  private static func holdsGluedHosts(_ rows: [Row], _ fields: [LogField?]) -> Bool {
    let hosts = fields.firstIndex(of: .host)
    return fields.indices.contains { column in
      guard fields[column] == nil || fields[column] == .time else { return false }
      var labels: Set<[UInt8]> = []
      for (line, tokens) in rows {
        let value = line.span.extracting(tokens.values[column])
        // The time in front of a line can be next to it.
        if fields[column] == .time, value.endsWithSiteName { return true }
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

  /// Returns a Boolean value indicating whether an ignored column names the host in all rows that were
  /// chosen, and differs in others with the same columns, or may differ because others are different.
  ///
  /// Then one has the requested host, and the other the name of the server.
  private static func tellsHostsApart(
    _ chosen: [Row], besides others: [Row] = [], _ fields: [LogField?], areDifferent: Bool
  ) -> Bool {
    guard let host = fields.firstIndex(of: .host) else { return false }
    func agree(_ row: Row, _ column: Int) -> Bool {
      row.line[row.tokens.values[column]] == row.line[row.tokens.values[host]]
    }
    return fields.indices.contains { column in
      fields[column] == nil && chosen.allSatisfy { agree($0, column) }
        && (areDifferent || !others.allSatisfy { agree($0, column) })
    }
  }

  /// The texts before each value and after the last one.
  private static func texts(between values: [Range<Int>], of line: [UInt8]) -> [[UInt8]] {
    var texts: [[UInt8]] = []
    var start = 0
    for value in values {
      texts.append(Array(line[start..<value.lowerBound]))
      start = value.upperBound
    }
    texts.append(Array(line[start...]))
    return texts
  }

  /// Returns a Boolean value indicating whether a user agent without quotation marks continues
  /// after a blank, as those of browsers do.
  private static func cutsAgent(_ roles: ColumnRoles) -> Bool {
    guard let agent = roles.fields.firstIndex(of: .agent), roles.columns[agent].mark == 0 else {
      return false
    }
    return !roles.columns[agent].values.contains {
      $0.count > cutAgentLength && $0.span.contains("Mozilla/")
    }
  }

  /// Minimum number of bytes before the first blank of a browser's name.
  private static let cutAgentLength = 20

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

  /// Returns a Boolean value indicating whether a label can be the name of a parameter, which all
  /// queries share, because no target has a query.
  ///
  /// Where another column has queries, as bodies are written, the one next to the target is certain.
  private static func mayLackQuery(_ roles: ColumnRoles, _ labels: [Int: [UInt8]]) -> Bool {
    guard let target = roles.fields.firstIndex(of: .target), labels[target] == nil,
      !roles.targetsHaveQueries
    else { return false }
    if let query = roles.fields.firstIndex(of: .query) {
      // `sn=a,host=www.example.com`
      if labels[query] != nil { return true }
      if query == target + 1 { return false }
    }
    return labels.contains { column, label in
      roles.fields[column] == nil
        && !knownLabels.contains(String(decoding: label.dropLast(), as: UTF8.self).lowercased())
    }
  }

  /// Creates a template of columns and the texts between them.
  private init(_ texts: [[UInt8]], _ roles: ColumnRoles) {
    let (fields, columns) = (roles.fields, roles.columns)
    var template = LineTemplate()
    var notation = ""
    func append(_ text: [UInt8]) {
      guard !text.isEmpty else { return }
      notation += String(decoding: text, as: UTF8.self)
      if case .text(let before) = template.elements.last {
        template.elements[template.elements.count - 1] = .text(before + text)
      } else {
        template.elements.append(.text(text))
      }
    }
    // A user agent without quotation marks ends where the columns after it begin.
    let hasBareAgent = fields.firstIndex(of: .agent).map { columns[$0].mark == 0 } ?? false
    let last = hasBareAgent ? fields.count - 1 : fields.lastIndex { $0 != nil } ?? 0
    for column in 0...last {
      append(texts[column])
      let isCommonTime = columns[column].looks.allSatisfy { $0.contains(.commonTime) }
      template.elements.append(
        fields[column] == .time && isCommonTime ? .commonTime : .field(fields[column]))
      notation += Self.variable(fields[column], isCommonTime: isCommonTime)
    }
    if last + 1 < columns.count {
      // Later columns aren't needed, and may be absent.
      let closing = texts[last + 1].prefix { !$0.isBlank }
      append(closing.isEmpty ? Array(texts[last + 1].prefix(1)) : Array(closing))
      template.elements.append(.field(nil))
      notation += "$ignored"
    } else {
      append(texts[last + 1])
    }
    self.init(LogFormat(LogFormat.templateName, notation, .template(template)), fields)
  }

  /// The name of a field in nginx's notation.
  private static func variable(_ field: LogField?, isCommonTime: Bool) -> String {
    switch field {
    case .request: "$request"
    case .method: "$request_method"
    case .target: "$request_uri"
    case .query: "$args"
    case .status: "$status"
    case .host: "$host"
    case .referrer: "$http_referer"
    case .agent: "$http_user_agent"
    case .time: isCommonTime ? "$time_local" : "$time_iso8601"
    case .size: "$body_bytes_sent"
    default: "$ignored"
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
    let quoting = hasDoubled ? ColumnLayout.Quoting.doubled : .backslash
    let tokens = lines.map { LineTokens($0.span, delimiter: delimiter, quoting: quoting) }
    for (line, tokens) in zip(lines, tokens)
    where tokens.holdsGluedValues(in: line.span, hasDoubledQuotes: hasDoubled) {
      return nil
    }
    if let joined = joined(lines, tokens) { return joined }
    guard var chosen = majority(tokens.map { Optional($0.values.count) }),
      let first = chosen.first
    else { return nil }
    let names = names(lines[first], tokens[first].values)
    if names != nil { chosen.removeFirst() }
    guard !chosen.isEmpty else { return nil }
    let rows = chosen.map { (line: lines[$0], tokens: tokens[$0]) }
    var columns = columns(of: rows)
    for column in columns.indices {
      // Quotation marks are written only where needed.
      columns[column].mark = 0
      columns[column].name = names?[column]
    }
    guard let roles = ColumnRoles(columns) else { return nil }
    // Columns have no marks or labels next to hosts.
    let areDifferent = names == nil && tokens.contains { $0.values.count > columns.count }
    guard !holdsGluedHosts(rows, roles.fields),
      !tellsHostsApart(rows, roles.fields, areDifferent: areDifferent)
    else { return nil }
    var layout = ColumnLayout(
      minimumCount: roles.fields.count, separator: .exactly(delimiter), quoting: quoting)
    (layout.columns, layout.hasAllColumns) = (roles.fields, true)
    let mark = delimiter == 0x09 ? "\\t" : String(decoding: [delimiter], as: UTF8.self)
    let notation = roles.fields.map { variable($0, isCommonTime: false) }.joined(separator: mark)
    return FormatInference(
      LogFormat(LogFormat.templateName, notation, .columns(layout)), roles.fields)
  }

  /// Infers the format of lines in which user agents hold the delimiter, in parentheses, or in which
  /// values have marks around them or hosts have labels.
  ///
  /// - Returns: The format, or `nil` if columns suffice, or if it isn't certain.
  private static func joined(_ lines: [[UInt8]], _ tokens: [LineTokens]) -> FormatInference? {
    let joined = zip(lines, tokens).map { $1.joiningParentheses(in: $0.span) }
    guard
      zip(tokens, joined).contains(where: { $0.values != $1.values })
        || zip(tokens, lines).contains(where: { tokens, line in
          tokens.values.contains { line.span.extracting($0).isLabeledHost }
        })
    else { return nil }
    let texts = zip(lines, joined).map { line, tokens in
      Optional(Self.texts(between: tokens.values, of: line))
    }
    guard let chosen = majority(texts), let first = chosen.first, var between = texts[first],
      !between.contains(where: holdsValue)
    else { return nil }
    let rows = chosen.map { (line: lines[$0], tokens: joined[$0]) }
    var columns = columns(of: rows)
    let longLines = joined.count { $0.values.count >= columns.count }
    guard let labels = moveLabels(in: &columns, &between),
      let roles = ColumnRoles(columns), !mayLackQuery(roles, labels),
      !holdsGluedHosts(rows, roles.fields),
      !tellsHostsApart(rows, roles.fields, areDifferent: longLines > rows.count)
    else { return nil }
    return FormatInference(between, roles)
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
  private static func names(_ line: [UInt8], _ values: [Range<Int>]) -> [LogField?]? {
    // Some names have blanks; in `TimeGenerated [UTC]`, a zone follows.
    let zone = Array(" [UTC]".utf8)
    let names = values.map { range in
      let name =
        line[range].suffix(zone.count).elementsEqual(zone) ? range.dropLast(zone.count) : range
      return line[name].map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "_") : $0 }
    }
    guard names.allSatisfy({ $0.span.isColumnName }) else { return nil }
    let fields = columnNames.fields(of: names)
    guard fields.contains(.status), fields.contains(.target) || fields.contains(.request) else {
      return nil
    }
    return fields
  }
}

extension LogFormat {
  /// Returns a Boolean value indicating whether this format has no referrer, although some requests
  /// have a URL of their own besides the target and the user agent.
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
    return indices.allSatisfy {
      self[$0].isInHostLabel || " .()$@#".utf8.contains(self[$0])
    }
  }
}
