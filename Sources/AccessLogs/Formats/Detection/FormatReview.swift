internal import Foundations

/// A second look at the first lines of a log, after they were read.
///
/// Lines can fit a format that has other fields in the same places. Each field shows this: too many
/// targets don't begin as targets do, or too many user agents end inside parentheses. Lines that
/// don't fit show it, too, if most of one kind of clients are among them.
public struct FormatReview {
  /// An odd property of many lines.
  public enum Oddity: String, CaseIterable, Codable, Hashable, Sendable {
    /// Targets that begin neither with a slash nor with a scheme.
    case target

    /// Targets that contain a protocol, or end in the dash of an absent query.
    case longTarget

    /// Queries in a field that the format ignores.
    case unreadQuery

    /// Targets that begin with a slash and a host, so that lines seem to name no host.
    case hostInTarget

    /// Hosts that are no hosts.
    case host

    /// Hosts in a field that the format ignores.
    case unreadHost

    /// Lines of a detected format without hosts that have a host next to its fields.
    case ignoredHost

    /// Lines that have a name in the place of clients, which is rather that of a site.
    case clientHost

    /// Referrers that are no URLs.
    case referrer

    /// Referring URLs in a field that the format ignores.
    case unreadReferrer

    /// User agents that are values of other fields, or begin or end with one.
    case agent

    /// User agents that end inside parentheses, or, where nothing shows their end, after their first
    /// word.
    case cutAgent

    /// User agents that are only the first word of a browser's name.
    case shortAgent

    /// Times that can't be read.
    case time

    /// Lines without a time, where nobody named the field that holds it.
    case absentTime

    /// Lines that fit the format only at the beginning.
    case rest

    /// Lines with more separators than most, so that a value holds one.
    case moreValues

    /// Lines of Apple's browsers that aren't requests.
    case rejectedAgent
  }

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

    package init(oddity: Oddity, count: Int = 0, total: Int = 0, example: String = "") {
      (self.oddity, self.count, self.total, self.example) = (oddity, count, total, example)
    }
  }

  /// The odd lines so far, few or many.
  private var shares: [Oddity: Doubt] = [:]

  /// The requests of Apple's browsers.
  private var appleRequests = 0

  private let namesHost: Bool

  /// The hosts of referrers that are in another field, too.
  private var unreadHosts: Set<[UInt8]> = []

  /// Whether nothing ends a user agent for certain, as quotation marks, tabs and JSON do in formats
  /// with a name, where a short one was sent.
  private let mayCutAgents: Bool

  /// Whether the format is a common or an inferred one, without hosts, and was detected.
  private let mayIgnoreHosts: Bool

  /// Whether the format was detected, and no format with a name that lacks times.
  private let mayLackTimes: Bool

  /// Whether the lines of a detected format are pairs, which need not have a time.
  private let havePairs: Bool

  /// Whether the format was detected, and its lines are JSON.
  private let isJSON: Bool

  /// The number of referrers that name the line's host, or `nil` if no line has one.
  private var agreement: Int?

  /// Whether the format is one of the common ones and was detected.
  private let isCommon: Bool

  /// The numbers of targets with queries and of lines with a query after the common fields, and the
  /// names of the first parameters in the latter.
  private var targetsWithQueries = 0
  private var linesBesideQueries = 0
  private var namesOfParameters: Set<[UInt8]> = []

  /// The numbers of targets without a query, and of those among them that end in a dash.
  private var targetsWithoutQueries = 0
  private var targetsWithDash = 0

  /// The byte between all values of a format without a name, or `nil` if blanks separate some.
  private let separator: UInt8?

  /// The numbers of lines by their numbers of values.
  private var linesByValues: [Int: Int] = [:]

  /// The hosts of referrers, and the numbers of lines with a name in the place of clients.
  private var referringHosts: Set<[UInt8]> = []
  private var clientNames: [[UInt8]: Int] = [:]

  /// The number of lines of a common format that are looked at; these formats differ little, and
  /// there can be many small logs.
  private static let commonLineCount = 128

  /// Reviews the first lines of a chunk.
  ///
  /// - Parameters:
  ///   - chunk: The chunk.
  ///   - format: The format in which they are read.
  ///   - isNamed: Whether someone named the format.
  ///   - heading: The directives before the chunk.
  ///   - isTime: Whether some bytes are a time that can be read.
  package init(
    _ chunk: LineChunk, readAs format: LogFormat, isNamed: Bool = true,
    after heading: ColumnHeading, isTime: (Span<UInt8>) -> Bool
  ) {
    let isTemplate = format.name == LogFormat.templateName
    isCommon = !isNamed && format.commonLayout != nil
    namesHost = format.canNameHosts(under: heading, hasHostKey: false)
    mayCutAgents = isTemplate
    mayIgnoreHosts = !namesHost && (isCommon || !isNamed && isTemplate)
    isJSON = !isNamed && LogFormat.isJSON(named: format.name)
    mayLackTimes = isCommon || isJSON || !isNamed && isTemplate
    havePairs = !isNamed && [.logfmt, .ltsv].contains(format)
    separator = isTemplate ? format.separator : nil
    let limit = format.commonLayout == nil ? LogFormat.detectionLineCount : Self.commonLineCount
    chunk.withBytes { bytes in
      // The end of the last line can be missing.
      let whole = chunk.wholeLineCount
      let bytes = bytes.extracting(0..<(whole > 0 ? whole : bytes.count))
      var parser = LogParser(format)
      parser.begin(after: heading)
      var (position, seen) = (0, 0)
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
      }
    }
  }

  private mutating func add(
    _ oddity: Oddity, isOdd: Bool, _ value: @autoclosure () -> [UInt8] = []
  ) {
    var doubt = shares[oddity] ?? Doubt(oddity: oddity)
    doubt.total += 1
    if isOdd {
      if doubt.count == 0 {
        let example = value()
        doubt.example = example.span.shown(upTo: oddity.exampleEnd)
      }
      doubt.count += 1
    }
    shares[oddity] = doubt
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
    if mayIgnoreHosts {
      let host = text.hostBesideFields(record)
      add(.ignoredHost, isOdd: host != nil, host.map { text.extracting($0).array } ?? [])
      if let name = text.clientName { clientNames[text.extracting(name).array, default: 0] += 1 }
    }
    if let separator {
      let tokens = LineTokens(line, delimiter: separator, doublesQuotes: false)
      linesByValues[tokens.joiningParentheses(in: line).values.count, default: 0] += 1
    }
    if mayLackTimes || havePairs && line.holdsTime {
      add(.absentTime, isOdd: record.time == nil)
    }
    if let range = record.time, !text.isAbsent(range) {
      let time = text.extracting(range)
      add(.time, isOdd: !isTime(time), time.array)
    }
    if let range = record.referrer {
      let referrer = text.extracting(range)
      add(.referrer, isOdd: !referrer.canBeReferrer, referrer.array)
      if let host = referrer.hostOfURL {
        referringHosts.insert(host)
        let named = record.host.map { text.extracting($0).lowercasedHost }
        if let named { agreement = (agreement ?? 0) + (named == host ? 1 : 0) }
        let isUnread = named != host && line.position(ofValue: host) != nil
        if isUnread { unreadHosts.insert(host) }
        add(.unreadHost, isOdd: isUnread, host)
      }
    } else {
      add(.unreadReferrer, isOdd: line.holdsReferrerWithName)
    }
    guard let range = record.agent else { return }
    let agent = text.extracting(range)
    let isOther = agent.isOtherField || mayCutAgents && !agent.endsAsItem && agent.holdsItems
    add(.agent, isOdd: isOther, agent.array)
    if agent.namesAppleBrowser { appleRequests += 1 }
    guard agent.begins(with: "Mozilla/") else { return }
    let isShort = agent.firstIndex(of: UInt8(ascii: " ")) == nil
    let isCut =
      agent.endsInParentheses || agent.endsAsItem
      || isShort && (mayCutAgents || line.contains("Mozilla/5.0 ("))
    add(.cutAgent, isOdd: isCut, agent.array)
    if mayCutAgents { add(.shortAgent, isOdd: isShort && !isCut, agent.array) }
  }

  /// Counts whether the query of a request is in another field.
  private mutating func addQuery(
    beside record: LogRecord, _ target: Span<UInt8>, in text: Span<UInt8>, of line: Span<UInt8>
  ) {
    if target.firstIndex(of: UInt8(ascii: "?")) != nil {
      targetsWithQueries += 1
      return add(.unreadQuery, isOdd: false)
    }
    targetsWithoutQueries += 1
    if target.count > 1, target[target.count - 1] == UInt8(ascii: "-") { targetsWithDash += 1 }
    let isWhole = line.holdsQuery(of: target)
    add(.unreadQuery, isOdd: isWhole)
    // Others send a body in the form of a query.
    guard !isWhole, isCommon || isJSON, text.extracting(record.method).begins(with: "GET"),
      let query = isJSON ? line.queryUnderKey : line.quotedQuery
    else { return }
    linesBesideQueries += 1
    let end = line.firstIndex(of: UInt8(ascii: "="), from: query.lowerBound) ?? query.upperBound
    namesOfParameters.insert(line.extracting(query.lowerBound..<end).array)
  }

  /// A name in the place of clients that is probably a site's: referrers name it, or there are few
  /// names, with many lines each and without digits.
  private var doubtfulClient: (name: [UInt8], lines: Int)? {
    let lines = clientNames.values.reduce(0, +)
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
  public var doubts: [Doubt] {
    var shares = shares
    // No line has fewer separators than the format, except for a few whose end is missing.
    let lines = linesByValues.values.reduce(0, +)
    if let usual = linesByValues.filter({ $0.value * 10 >= lines }).keys.min() {
      let longer = linesByValues.filter { $0.key > usual }.values.reduce(0, +)
      shares[.moreValues] = Doubt(oddity: .moreValues, count: longer, total: lines)
    }
    // A single name is rather a label, as in `"rt=0.005"`.
    if targetsWithQueries == 0, namesOfParameters.count > 1 {
      shares[.unreadQuery]?.count += linesBesideQueries
    }
    // nginx's `$uri$is_args$args`; scanners send other targets.
    if targetsWithDash >= Self.dashedTargets, targetsWithDash * 10 >= targetsWithoutQueries * 9 {
      shares[.longTarget]?.count += targetsWithDash
    }
    if let (name, lines) = doubtfulClient {
      let all = shares[.ignoredHost]?.total ?? lines
      shares[.clientHost] = Doubt(
        oddity: .clientHost, count: lines, total: all, example: name.span.shown(upTo: nil))
    }
    return Oddity.allCases.compactMap { oddity in
      guard var doubt = shares[oddity], doubt.count > 0, isDoubtful(doubt) else { return nil }
      if oddity == .rejectedAgent { doubt.total = doubt.count + appleRequests }
      return doubt
    }
  }

  /// The minimum number of targets with a dash at their end that a server wrote.
  private static let dashedTargets = 10

  /// The minimum number of times for conclusions from unreadable ones.
  private static let timedRequests = 10

  /// Returns whether so many values are odd that they are not a few clients' own.
  private func isDoubtful(_ share: Doubt) -> Bool {
    switch share.oddity {
    // Scanners send some of these.
    case .target, .longTarget, .referrer, .ignoredHost: share.count * 4 >= share.total
    // Under a key, it is what some clients sent.
    case .host: share.count * 4 >= share.total * (mayCutAgents ? 1 : 3)
    case .cutAgent, .unreadReferrer: share.count * 10 >= share.total
    case .rest, .unreadQuery: share.count * 20 >= share.total
    case .moreValues: share.count * 50 >= share.total
    case .agent: share.count * 8 >= share.total
    case .shortAgent: share.count * 2 > share.total
    case .time: share.count * 2 > share.total && share.total >= Self.timedRequests
    case .absentTime, .hostInTarget: share.count == share.total
    case .clientHost: true
    case .rejectedAgent: share.count > appleRequests
    // The name of the only site may be in each line, and a few links lead from host to host.
    case .unreadHost:
      share.count * 4 >= share.total && agreement.map { $0 == 0 } ?? (unreadHosts.count > 1)
        && shares[.ignoredHost].map(isDoubtful) != true
    }
  }
}

extension FormatReview.Oddity {
  /// The byte that ends the part of an odd value that can be shown, or `nil` if all of it can.
  fileprivate var exampleEnd: UInt8? {
    switch self {
    case .agent, .cutAgent, .shortAgent: UInt8(ascii: " ")
    case .target, .referrer: UInt8(ascii: "?")
    default: nil
    }
  }
}

extension LogFormat {
  /// The byte between all values, or `nil` if blanks separate some.
  fileprivate var separator: UInt8? {
    guard layouts.count == 1, let layout = layouts.first else { return nil }
    switch layout {
    case .columns(let columns):
      guard case .exactly(let separator) = columns.separator else { return nil }
      return separator
    case .template(let template):
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
    // The name of a user can have a full stop.
    return value.holdsSiteName
      && (!begins(with: " [", at: word.upperBound)
        || word.count { self[$0] == UInt8(ascii: ".") } > 1)
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
    guard let end = indices.last(where: { ";|".utf8.contains(self[$0]) }) else { return false }
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
    var text = ""
    for index in 0..<shown {
      if (0x20..<0x7F).contains(self[index]) {
        text.unicodeScalars.append(Unicode.Scalar(self[index]))
      } else {
        let digits = String(self[index], radix: 16, uppercase: true)
        text += "%" + (digits.utf8.count < 2 ? "0" : "") + digits
      }
    }
    return shown < count ? text + "…" : text
  }
}
