internal import Foundations

/// A second look at some lines of a log, after they were read.
///
/// Lines can fit a format that has other fields in the same places. Each field shows this: too many
/// targets don't begin as targets do, or too many user agents end inside parentheses. Lines that
/// don't fit show it, too, if most of one kind of clients are among them.
///
/// The first lines are looked at once they were read. A server can get another format later, so a few
/// lines are looked at here and there, and the last ones; see ``changes(since:)``.
public struct FormatReview: Sendable {
  /// An oddity of many lines, which reports show.
  public struct Doubt: Codable, Hashable, Sendable {
    /// The odd property.
    public var oddity: Oddity

    /// The number of odd lines.
    public var count: Int

    /// The number of lines that could be odd.
    public var total: Int

    /// The value of the first odd line in a form that can be shown, or empty if it can't.
    public var example: String

    /// The number in the log, from 1, of the first of the lines, or 0 for the log's first lines.
    public var line = 0

    /// The chunk at whose start ``line`` begins to count, or `nil` if it counts from that of the log,
    /// as in digests.
    package var chunk: Int?

    package init(oddity: Oddity, count: Int = 0, total: Int = 0, example: String = "") {
      (self.oddity, self.count, self.total, self.example) = (oddity, count, total, example)
    }
  }

  /// The odd lines so far, few or many, by the number of the oddity.
  private var shares = Oddity.allCases.map { Doubt(oddity: $0) }

  /// Some different odd values, by the number of the oddity.
  private var values = [Set<[UInt8]>](repeating: [], count: Oddity.allCases.count)

  /// The odd lines among the first ones, with which later ones are compared, and the position in the
  /// chunk after those.
  private var beginning: [Doubt] = []
  package private(set) var beginningEnd = 0

  private let isCommon: Bool
  private let isJSON: Bool

  /// Whether the format has no name: nothing ends a user agent for certain, as quotation marks, tabs
  /// and JSON do in others, where a short one was sent.
  private let isTemplate: Bool

  /// Whether lines have a time if they have something like it, as pairs do.
  private let arePairs: Bool
  private let namesHost: Bool

  /// The number of referrers that name the line's host, or `nil` if no line has one.
  private var agreement: Int?

  /// Whether the format is a common one with referrers and user agents.
  private let namesAgent: Bool

  /// The numbers of targets with queries and of lines with a query after the common fields, and the
  /// names of the first parameters in the latter.
  private var targetsWithQueries = 0
  private var linesBesideQueries = 0
  private var namesOfParameters: Set<[UInt8]> = []

  /// The number of targets without a query that end in a dash.
  private var targetsWithDash = 0

  /// The byte between all values of a format without a name, or `nil` if blanks separate some.
  private let separator: UInt8?

  /// The numbers of lines by their numbers of values.
  private var linesByValues: [Int: Int] = [:]

  /// The hosts of referrers, and the numbers of lines with a name in the place of clients.
  private var referringHosts: Set<[UInt8]> = []
  private var clientNames: [[UInt8]: Int] = [:]

  /// The number of lines of a common format that are looked at, because these formats differ little,
  /// and there can be many small logs.
  ///
  /// As many lines of any format are compared with later ones.
  private static let commonLineCount = 128

  /// Reviews the first lines of a part of a chunk.
  ///
  /// - Parameters:
  ///   - chunk: The chunk.
  ///   - start: The position of the first of the lines.
  ///   - format: The format in which they are read.
  ///   - heading: The directives before them.
  ///   - isTime: Whether some bytes are a time that can be read.
  package init(
    _ chunk: LineChunk, from start: Int = 0, readAs format: LogFormat,
    after heading: ColumnHeading, isTime: (Span<UInt8>) -> Bool
  ) {
    namesAgent = format.commonLayout?.namesReferrer ?? false
    namesHost = format.canNameHosts(under: heading, hasHostKey: false)
    isCommon = format.commonLayout != nil
    isJSON = LogFormat.isJSON(named: format.name)
    isTemplate = format.name == LogFormat.templateName
    arePairs = format == .logfmt || format == .ltsv
    separator = isTemplate ? format.separator : nil
    let limit = isCommon ? Self.commonLineCount : LogFormat.detectionLineCount
    chunk.withBytes { bytes in
      // The end of the last line can be missing.
      let whole = chunk.wholeLineCount
      let bytes = bytes.extracting(0..<(whole > 0 ? whole : bytes.count))
      var parser = LogParser(format)
      parser.begin(after: heading)
      var (position, seen) = (start, 0)
      while seen < limit, let range = bytes.nextLine(&position) {
        seen += 1
        if range.isEmpty { seen += bytes.skipEmptyLines(&position) }
        parser.reset()
        let line = bytes.extracting(range)
        switch parser.parse(line) {
        case .request(let record):
          add(record, in: parser.text.span, of: line, isTime)
          // Something was not read, unless a collector can have cut the line at its end.
          let end = parser.failurePosition
          add(.rest, isOdd: end > 0 && end < line.count)
        case .rejected(.emptyLine), .rejected(.heading): break
        // A rejected line names its client, so it is no example.
        case .rejected: if line.namesAppleBrowser { add(.rejectedAgent, isOdd: true) }
        }
        if seen >= Self.commonLineCount, beginning.isEmpty {
          (beginning, beginningEnd) = (shares, position)
        }
      }
      if beginning.isEmpty { (beginning, beginningEnd) = (shares, position) }
    }
  }

  private mutating func add(
    _ oddity: Oddity, isOdd: Bool, _ value: @autoclosure () -> [UInt8] = []
  ) {
    let number = oddity.rawValue
    shares[number].total += 1
    guard isOdd else { return }
    shares[number].count += 1
    guard values[number].count < Self.variety else { return }
    let value = value()
    if shares[number].count == 1 {
      shares[number].example = value.span.shown(upTo: oddity.exampleEnd)
    }
    values[number].insert(value)
  }

  private mutating func add(
    _ record: LogRecord, in text: Span<UInt8>, of line: Span<UInt8>, _ isTime: (Span<UInt8>) -> Bool
  ) {
    let target = text.extracting(record.target)
    let segment = target.hostSegment
    add(.target, isOdd: !target.beginsAsTarget, target.array)
    // A dash can be in the place of a query.
    let isLong = target.contains(" HTTP/") || target.begins(with: "?-", at: target.count - 2)
    add(.longTarget, isOdd: isLong, target.array)
    addQuery(beside: record, target, in: text, of: line)
    if let range = record.host {
      let host = text.extracting(range)
      add(.host, isOdd: !host.canBeRequestedHost, host.array)
      let isHost = segment.map { target.extracting($0).isEqual(to: host) } ?? false
      add(.hostInTarget, isOdd: isHost, target.array)
    } else if !namesHost, target.beginsAsTarget {
      add(.hostInTarget, isOdd: segment != nil, target.array)
    }
    if !namesHost, isCommon || isTemplate {
      let host = text.hostBesideFields(record)
      add(.ignoredHost, isOdd: host != nil, host.map { text.extracting($0).array } ?? [])
      let name = text.clientName.map { text.extracting($0).array }
      add(.clientHost, isOdd: name != nil, name ?? [])
      if let name { clientNames[name, default: 0] += 1 }
    }
    if let separator {
      let tokens = LineTokens(line, delimiter: separator, doublesQuotes: false)
      linesByValues[tokens.joiningParentheses(in: line).values.count, default: 0] += 1
    }
    if isCommon || isJSON || isTemplate || arePairs && line.holdsTime {
      add(.absentTime, isOdd: record.time == nil)
    }
    if let range = record.time, !text.isAbsent(range) {
      let time = text.extracting(range)
      add(.time, isOdd: !isTime(time), time.array)
    }
    let isKnown = ValueLooks.isKnown(status: Int(record.status))
    add(.status, isOdd: !isKnown, Array("\(record.status)".utf8))
    addReferrer(of: record, in: text, of: line)
    addAgent(of: record, in: text, of: line)
  }

  private mutating func addReferrer(
    of record: LogRecord, in text: Span<UInt8>, of line: Span<UInt8>
  ) {
    guard let range = record.referrer else {
      return add(.unreadReferrer, isOdd: line.holdsReferrerWithName)
    }
    let referrer = text.extracting(range)
    add(.referrer, isOdd: !referrer.canBeReferrer, referrer.array)
    guard let host = referrer.hostOfURL else { return }
    referringHosts.insert(host)
    let named = record.host.map { text.extracting($0).lowercasedHost }
    if let named { agreement = (agreement ?? 0) + (named == host ? 1 : 0) }
    add(.unreadHost, isOdd: named != host && line.position(ofValue: host) != nil, host)
  }

  private mutating func addAgent(
    of record: LogRecord, in text: Span<UInt8>, of line: Span<UInt8>
  ) {
    let agentRange = record.agent ?? 0..<0
    let agent = text.extracting(agentRange)
    if agent.contains("Mozilla/") {
      add(.unreadAgent, isOdd: false)
      // Browsers always name a host, which is not their own address.
      let host = record.host.flatMap { text.isAbsent($0) ? nil : $0 }
      let isAbsent = host.map { text.extracting($0).beginsWithAddress } ?? true
      add(.absentHost, isOdd: isAbsent, text.extracting(host ?? agentRange).array)
    } else if let name = line.position(of: "Mozilla/") {
      let end = min(line.count, name + 200)
      add(.unreadAgent, isOdd: true, line.extracting(name..<end).array)
    }
    if namesAgent {
      let isAbsent = record.agent == nil && !text.hasReferrer(after: record)
      add(.absentAgent, isOdd: isAbsent)
    }
    guard record.agent != nil else { return }
    let isOther = agent.isOtherField || isTemplate && !agent.endsAsItem && agent.holdsItems
    add(.agent, isOdd: isOther, agent.array)
    if agent.namesAppleBrowser { add(.rejectedAgent, isOdd: false) }
    guard agent.begins(with: "Mozilla/") else { return }
    let isShort = agent.firstIndex(of: UInt8(ascii: " ")) == nil
    let isCut =
      agent.endsInParentheses || agent.endsAsItem
      || isShort && (isTemplate || line.contains("Mozilla/5.0 ("))
    add(.cutAgent, isOdd: isCut, agent.array)
    if isTemplate { add(.shortAgent, isOdd: isShort && !isCut, agent.array) }
  }

  /// Counts whether the query of a request is in another field.
  private mutating func addQuery(
    beside record: LogRecord, _ target: Span<UInt8>, in text: Span<UInt8>, of line: Span<UInt8>
  ) {
    if target.firstIndex(of: UInt8(ascii: "?")) != nil {
      targetsWithQueries += 1
      return add(.unreadQuery, isOdd: false)
    }
    if target.count > 1, target[target.count - 1] == UInt8(ascii: "-") { targetsWithDash += 1 }
    let isWhole = line.holdsQuery(of: target)
    add(.unreadQuery, isOdd: isWhole)
    // Others send a body in the form of a query.
    guard !isWhole, isCommon || isJSON,
      text.extracting(record.method).begins(with: "GET"),
      let query = isJSON ? line.queryUnderKey : line.quotedQuery
    else { return }
    linesBesideQueries += 1
    let end = line.firstIndex(of: UInt8(ascii: "="), from: query.lowerBound) ?? query.upperBound
    namesOfParameters.insert(line.extracting(query.lowerBound..<end).array)
  }

  /// A name in the place of clients that is probably a site's: referrers name it, or there are few
  /// names, with many lines each and without digits.
  private var doubtfulClient: (name: [UInt8], lines: Int)? {
    let lines = shares[Oddity.clientHost.rawValue].count
    let areSites =
      (clientNames.count == 1 || clientNames.count * Self.leastLinesOfSite <= lines)
      && !clientNames.keys.contains { name in name.contains { $0.isDigit } }
    // The order of a dictionary is random.
    return clientNames.filter { areSites || referringHosts.contains($0.key) }
      .min { $0.key.lexicographicallyPrecedes($1.key) }
      .map { ($0.key, $0.value) }
  }

  /// The minimum average number of lines of names that can be those of sites.
  private static let leastLinesOfSite = 8

  /// The oddities of too many lines, in the order of ``Oddity``.
  ///
  /// - Parameter isNamed: Whether someone named the format.
  /// - Returns: The oddities.
  package func doubts(isNamed: Bool) -> [Doubt] {
    judged(isNamed: isNamed).filter { !Oddity.changes.contains($0.oddity) }
  }

  /// The oddities of most of these lines that few of the first lines have.
  ///
  /// One client can send a value that is odd in each of its lines. So most oddities need different
  /// values.
  package func changes(since first: FormatReview) -> [Doubt] {
    judged(isNamed: false).filter { doubt in
      let (number, before) = (doubt.oddity.rawValue, first.beginning[doubt.oddity.rawValue])
      let areMost =
        doubt.oddity == .unreadQuery
        ? targetsWithQueries == 0 : doubt.count * 2 >= doubt.total
      return areMost && doubt.count >= Self.leastChanged && before.count * 8 <= before.total
        && (doubt.oddity.isOfServer || values[number].count >= Self.variety)
    }
  }

  /// The number of lines that are enough to see a change, and the minimum numbers of odd lines and of
  /// different values among them.
  package static let laterLineCount = 48
  private static let leastChanged = 6
  private static let variety = 3

  private func judged(isNamed: Bool) -> [Doubt] {
    var shares = shares
    func change(_ oddity: Oddity, _ body: (inout Doubt) -> Void) { body(&shares[oddity.rawValue]) }
    // No line has fewer separators than the format, except for a few whose end is missing.
    let lines = linesByValues.values.reduce(0, +)
    if let usual = linesByValues.filter({ $0.value * 10 >= lines }).keys.min() {
      let longer = linesByValues.filter { $0.key > usual }.values.reduce(0, +)
      change(.moreValues) { ($0.count, $0.total) = (longer, lines) }
    }
    // A single name is rather a label, as in `"rt=0.005"`.
    if !isNamed, targetsWithQueries == 0, namesOfParameters.count > 1 {
      change(.unreadQuery) { $0.count += linesBesideQueries }
    }
    // nginx's `$uri$is_args$args`; scanners send other targets.
    let targetsWithoutQueries = shares[Oddity.longTarget.rawValue].total - targetsWithQueries
    if targetsWithDash >= Self.dashedTargets, targetsWithDash * 10 >= targetsWithoutQueries * 9 {
      change(.longTarget) { $0.count += targetsWithDash }
    }
    // The value is a user agent or an address.
    change(.absentHost) { $0.example = "" }
    let (name, clients) = doubtfulClient ?? ([], 0)
    change(.clientHost) { ($0.count, $0.example) = (clients, name.span.shown(upTo: nil)) }
    if isNamed { shares.removeAll { Oddity.acceptedIfNamed.contains($0.oddity) } }
    let doubts = shares.filter { $0.count > 0 && isMany($0) }
    return doubts.contains { $0.oddity == .ignoredHost }
      ? doubts.filter { $0.oddity != .unreadHost } : doubts
  }

  /// The minimum number of targets with a dash at their end that a server wrote.
  private static let dashedTargets = 10

  /// The minimum number of times for conclusions from unreadable ones.
  private static let timedRequests = 10

  /// Returns whether so many values are odd that they are not a few clients' own.
  private func isMany(_ share: Doubt) -> Bool {
    let least = share.oddity.meaning.leastShare
    guard least > 0 ? share.count * least >= share.total : share.count * 2 > share.total else {
      return false
    }
    return switch share.oddity {
    // Under a key, it is what some clients sent.
    case .host: isTemplate || share.count * 4 >= share.total * 3
    case .time: share.total >= Self.timedRequests
    // The name of the only site may be in each line, and a few links lead from host to host.
    case .unreadHost: agreement.map { $0 == 0 } ?? (values[share.oddity.rawValue].count > 1)
    default: true
    }
  }
}

extension FormatReview {
  /// An odd property of lines; ``meaning`` describes each.
  ///
  /// Digests hold the numbers of the cases, so a new case is the last one.
  public enum Oddity: Int, CaseIterable, Codable, Hashable, Sendable {
    case target, longTarget, unreadQuery, hostInTarget
    case host, unreadHost, ignoredHost, absentHost, clientHost
    case referrer, unreadReferrer
    case agent, cutAgent, shortAgent, unreadAgent, absentAgent
    case time, absentTime, status
    case rest, moreValues, rejectedAgent
  }
}

extension FormatReview.Oddity {
  /// The odd field of `--json-keys` and `--log-format`; the kind of values or lines of which some are
  /// odd; the predicates of sentences about several, and about one unless its verb is enough; and
  /// the least doubtful share of odd ones: one in so many, or 0 for more than half.
  ///
  /// Scanners and a few clients send some.
  package var meaning:
    (field: LogField, noun: String, several: String, one: String?, leastShare: Int)
  {
    switch self {
    case .target: (.target, "target", "begin neither with a slash nor with a scheme", nil, 4)
    case .longTarget:
      (.target, "target", "contain a protocol or the dash of an absent query", nil, 4)
    case .unreadQuery: (.query, "line", "have an ignored query", nil, 20)
    // Behind a slash, so that lines seem to name no host.
    case .hostInTarget: (.host, "target", "begin with a host", nil, 1)
    case .host: (.host, "host", "are no hosts", "is no host", 4)
    case .unreadHost:
      (.host, "referrer", "name a host that is in an ignored field, too", nil, 4)
    // Next to the fields of a format without hosts.
    case .ignoredHost: (.host, "line", "have an ignored host", nil, 4)
    case .absentHost:
      (.host, "line", "of browsers name no host", "of a browser names no host", 2)
    // As few names as sites have are certain.
    case .clientHost:
      (.host, "line", "have a site's name in the place of the client", nil, 1_000)
    case .referrer: (.referrer, "referrer", "are no URLs", "is no URL", 4)
    case .unreadReferrer: (.referrer, "line", "have an ignored referrer", nil, 10)
    // Or they begin or end with one.
    case .agent:
      (.agent, "user agent", "are values of another field", "is a value of another field", 8)
    // Inside parentheses, or, where nothing shows their end, after their first word.
    case .cutAgent: (.agent, "user agent", "are cut short", nil, 10)
    case .shortAgent: (.agent, "user agent", "are only the first word", nil, 0)
    case .unreadAgent: (.agent, "line", "have an ignored user agent", nil, 2)
    case .absentAgent: (.agent, "line", "end before the user agent", nil, 2)
    case .time: (.time, "time", "are unreadable", nil, 0)
    // Nobody named the field that holds it.
    case .absentTime: (.time, "line", "have no time", nil, 1)
    case .status: (.status, "line", "have a status that no server sends", nil, 2)
    case .rest: (.agent, "line", "fit only at the beginning", nil, 20)
    // With more separators than most lines.
    case .moreValues: (.agent, "line", "have a separator inside a value", nil, 50)
    case .rejectedAgent:
      (
        .agent, "line", "of browsers on Apple's devices are rejected",
        "of browsers on Apple's devices is rejected", 0
      )
    }
  }

  /// Returns the predicate of a sentence about a number of odd ones.
  package func predicate(_ count: Int) -> String {
    let (_, _, several, one, _) = meaning
    if count != 1 { return several }
    let verb = several.prefix { $0 != " " }
    return one
      ?? (["are": "is", "have": "has"][verb] ?? verb + "s") + several.dropFirst(verb.count)
  }

  /// The byte that ends the part of an odd value that can be shown, or `nil` if all of it can.
  fileprivate var exampleEnd: UInt8? {
    switch self {
    case .target, .referrer: UInt8(ascii: "?")
    case .agent, .cutAgent, .shortAgent, .unreadAgent: UInt8(ascii: " ")
    default: nil
    }
  }

  /// Whether no client can send it.
  fileprivate var isOfServer: Bool {
    switch self {
    case .unreadQuery, .unreadHost, .ignoredHost, .clientHost, .unreadReferrer, .absentAgent, .time,
      .absentTime, .rest, .rejectedAgent:
      true
    default: false
    }
  }

  /// Those that are accepted where someone named the format.
  fileprivate static let acceptedIfNamed: Set<Self> = [.ignoredHost, .clientHost, .absentTime]

  /// Those that are odd only if the first lines don't have them.
  fileprivate static let changes: Set<Self> = [.absentHost, .unreadAgent, .absentAgent, .status]
}

extension LogFormat {
  /// The byte between all values, or `nil` if blanks separate some.
  fileprivate var separator: UInt8? {
    guard layouts.count == 1, let layout = layouts.first else { return nil }
    switch layout {
    case .columns(let columns):
      guard case .exactly(let separator) = columns.separator else { return nil }
      return separator
    case .template(let parser):
      let template = parser.template
      let texts = template.elements.indices.dropFirst().dropLast().compactMap(template.text)
      // Marks can be next to each other, as in `"[`.
      return "|;,\t".utf8.first { mark in
        texts.count { $0.contains(mark) } * 2 > texts.count
          && texts.allSatisfy { $0.contains(mark) || !$0.contains(where: \.isBlank) }
      }
    default: return nil
    }
  }
}

extension Span<UInt8> {
  /// Whether a path, a scheme, an asterisk, or an authority begins these bytes (RFC 9112, 3.2).
  fileprivate var beginsAsTarget: Bool {
    guard count > 0 else { return false }
    if self[0] == UInt8(ascii: "/") || count == 1 && self[0] == UInt8(ascii: "*") { return true }
    return beginsAsURL || isHostName || beginsWithAddress
  }

  /// Whether a value is a target with a question mark after it.
  fileprivate func holdsQuery(of target: Span<UInt8>) -> Bool {
    var search = 0
    while let found = firstIndex(of: UInt8(ascii: "?"), from: search) {
      search = found + 1
      let first = found - target.count
      guard first > 0, !self[first - 1].isInHostName, self[first - 1] != UInt8(ascii: "/") else {
        continue
      }
      if extracting(first..<found).isEqual(to: target) { return true }
    }
    return false
  }

  /// The position of a query alone in quotation marks, or `nil` if there is none.
  fileprivate var quotedQuery: Range<Int>? {
    guard firstIndex(of: UInt8(ascii: "=")) != nil, let tokens = LineTokens(betweenBlanks: self)
    else { return nil }
    return zip(tokens.values, tokens.marks).first { range, mark in
      mark == UInt8(ascii: "\"") && ValueLooks(extracting(range)).contains(.query)
    }?.0
  }

  /// The position of a query under the name of one in JSON, or `nil` if there is none.
  ///
  /// Names are compared without their first letters, which can be capitals.
  fileprivate var queryUnderKey: Range<Int>? {
    var position = 0
    var key = 0..<0
    while let quote = firstIndex(of: UInt8(ascii: "\""), from: position),
      let end = closingQuote(from: quote + 1)
    {
      let value = extracting((quote + 1)..<end)
      let name = extracting(key)
      if ["uery", "aram", "args", "earch"].contains(where: { name.contains($0) }),
        ValueLooks(value).contains(.query)
      {
        return (quote + 1)..<end
      }
      key = (quote + 1)..<end
      position = end + 1
    }
    return nil
  }

  /// Whether a day and a time of day are in these bytes.
  fileprivate var holdsTime: Bool {
    indices.contains { index in
      hasShape("00:00:00", at: index)
        && (isCommonTime(from: index - 12) || beginsWithISODay(at: index - 11))
    }
  }

  /// The position of the first segment of a path if that is a host, and others follow; some programs
  /// write two slashes before it.
  fileprivate var hostSegment: Range<Int>? {
    guard count > 2, self[0] == UInt8(ascii: "/"),
      case let start = self[1] == UInt8(ascii: "/") ? 2 : 1,
      let slash = firstIndex(of: UInt8(ascii: "/"), from: start),
      extracting(start..<slash).isHostName
    else { return nil }
    return start..<slash
  }

  fileprivate var canBeRequestedHost: Bool {
    if isNumber || secondOfDay != nil { return false }
    return isHostName || beginsWithAddress || hasBytesOfHost
  }

  /// The position of the name in the place of the client's address: `client.example.net - -`.
  fileprivate var clientName: Range<Int>? {
    guard let word = word(from: linePrefixEnd, to: count),
      begins(with: " -", at: word.upperBound) || begins(with: " [", at: word.upperBound),
      case let name = extracting(word), name.isHostName, !name.isInternalHost
    else { return nil }
    return word
  }

  /// Returns the position of the word with a host next to the fields of a line of a common format
  /// without hosts, or `nil` if there is none.
  fileprivate func hostBesideFields(_ record: LogRecord) -> Range<Int>? {
    // Nothing is next to the fields of most lines.
    if let agent = record.agent, agent.upperBound + 1 == count, self[0].isDigit,
      let client = firstIndex(of: UInt8(ascii: " ")), begins(with: " - - [", at: client),
      extracting(0..<client).isAddress
    {
      return nil
    }
    let start = linePrefixEnd
    guard start < count, self[start] != UInt8(ascii: "{") else { return nil }
    let fields = [
      record.time, record.method, record.target, record.referrer, record.agent,
    ].compactMap(\.self)
    func endsWord(_ position: Int) -> Bool {
      self[position].isBlank || "\"[]".utf8.contains(self[position])
    }
    var position = start
    while position < count {
      if let field = fields.first(where: { $0.contains(position) }) {
        position = field.upperBound
        continue
      }
      let first = position
      while position < count, !endsWord(position) { position += 1 }
      let word = first..<position
      position += 1
      // After the request, the URL of a page is a referrer.
      let value = extracting(word)
      if value.hostOfURL != nil,
        word.upperBound <= record.method.lowerBound
          || value.firstIndex(of: UInt8(ascii: "/"), from: 8) == nil
      {
        return word
      }
      if isHost(word, isFirst: first == start) { return word }
    }
    return nil
  }

  private func isHost(_ word: Range<Int>, isFirst: Bool) -> Bool {
    let value = extracting(word)
    if isFirst {
      // The name of a client.
      if clientName == word { return false }
      // A host, or the address of a client behind a proxy.
      if value.isAddress, value.firstIndex(of: UInt8(ascii: ":")) != nil,
        let next = self.word(from: word.upperBound, to: count), extracting(next).isAddress
      {
        return true
      }
    }
    // The name of a user can have a full stop, or be an address of mail.
    return value.holdsSiteName
      && (!begins(with: " [", at: word.upperBound)
        || word.count { self[$0] == UInt8(ascii: ".") } > 1
          && value.firstIndex(of: UInt8(ascii: "@")) == nil)
  }

  /// Returns where a line has a host as a value of its own, and not as a part of a URL, or `nil`.
  func position(ofValue host: [UInt8]) -> Int? {
    func isBeside(_ index: Int) -> Bool {
      index >= 0 && index < count && (self[index].isInHostName || self[index] == UInt8(ascii: "/"))
    }
    var search = 0
    while let start = firstIndex(of: host.first ?? 0, from: search) {
      search = start + 1
      let end = start + host.count
      if holds(host.span, 0, host.count, at: start), !isBeside(start - 1), !isBeside(end) {
        return start
      }
    }
    return nil
  }

  /// Whether a line has a URL next to the name of the referrer's header.
  fileprivate var holdsReferrerWithName: Bool {
    var search = 0
    while let found = position(of: "efer", from: search) {
      search = found + 4
      var start = search
      while start < count, self[start].isLetter { start += 1 }
      while start < count, start < search + 12, "\"\\ :=[".utf8.contains(self[start]) { start += 1 }
      if begins(with: "http://", at: start) || begins(with: "https://", at: start) { return true }
    }
    return false
  }

  /// Whether these bytes can be a referrer: a URL, or a part of one.
  fileprivate var canBeReferrer: Bool {
    // Servers escape quotation marks; a body, or `en-US,en;q=0.9`.
    if contains("\" ") || contains("\",") || count > 0 && self[0] == UInt8(ascii: "{")
      || !beginsAsURL && contains(";q=")
    {
      return false
    }
    if beginsAsURL || count > 0 && self[0] == UInt8(ascii: "/") { return !endsWithItem }
    let others: ValueLooks = [
      .browser, .product, .address, .number, .time, .commonTime, .request, .status, .day,
      .timeOfDay, .query,
    ]
    return !isAny(of: others) && !beginsWithItem(others)
  }

  /// Whether these bytes are a value of another field than a user agent.
  fileprivate var isOtherField: Bool {
    let others: ValueLooks = [.url, .address, .number, .time, .path, .request, .day, .timeOfDay]
    guard contains("Mozilla/") else {
      // `en-US,en;q=0.9`
      return isAny(of: others) || contains(";q=") || beginsWithItem(others)
    }
    if contains("\" \"") { return true }
    // `886 "-" Mozilla/5.0`
    guard !begins(with: "Mozilla/"), let end = firstIndex(of: UInt8(ascii: " ")) else {
      return false
    }
    return extracting(0..<end).isAny(of: others.union(.absent))
  }

  /// Returns whether a value of some kinds and a separator begin these bytes: `0.101;-`.
  private func beginsWithItem(_ kinds: ValueLooks) -> Bool {
    indices.first { ";,|".utf8.contains(self[$0]) }
      .map { $0 > 0 && extracting(0..<$0).isAny(of: kinds) } ?? false
  }

  /// Whether a separator and a value of another field end a URL.
  private var endsWithItem: Bool {
    let isSeparator = { (byte: UInt8) in byte == UInt8(ascii: ";") || byte == UInt8(ascii: "|") }
    guard let end = indices.last(where: { isSeparator(self[$0]) }) else { return false }
    return extracting((end + 1)..<count)
      .isAny(of: [.url, .address, .host, .browser, .time, .epoch])
  }

  /// Whether a separator outside parentheses is in these bytes, where user agents have none.
  fileprivate var holdsItems: Bool {
    var depth = 0
    for index in indices {
      switch self[index] {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      case UInt8(ascii: ";"), UInt8(ascii: "|"), 0x09: if depth <= 0 { return true }
      default: break
      }
    }
    return false
  }

  fileprivate var endsAsItem: Bool { count > 0 && ";,|".utf8.contains(self[count - 1]) }

  /// A Boolean value indicating whether a browser on an iPhone or iPad is named.
  package var namesAppleBrowser: Bool {
    contains("Mozilla/") && (contains("iPhone") || contains("iPad"))
  }

  /// The maximum number of bytes of a value to show.
  private static var shownLength: Int { 48 }

  /// These bytes in a form that can be shown, up to a given byte; the rest is omitted.
  package func shown(upTo end: UInt8?) -> String {
    // A user agent can be in any field.
    let end = contains("Mozilla/") ? UInt8(ascii: " ") : end
    let whole = end.flatMap { firstIndex(of: $0) } ?? count
    let shown = Swift.min(whole, Self.shownLength)
    if extracting(0..<whole).beginsWithAddress { return "(an address)" }
    let text = (0..<shown).flatMap { index in
      let byte = self[index]
      return (0x20..<0x7F).contains(byte)
        ? [byte] : [UInt8(ascii: "%"), .hexadecimalDigit(byte >> 4), .hexadecimalDigit(byte)]
    }
    return String(decoding: text, as: UTF8.self) + (shown < count ? "…" : "")
  }
}
