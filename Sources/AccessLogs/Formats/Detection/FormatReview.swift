internal import Foundations

/// A second look at the first lines of a log, after they were read.
///
/// Lines can fit a format that has other fields in the same places. Each field shows this: too many
/// targets don't begin as targets do, or too many user agents end inside parentheses. Lines that
/// don't fit show it, too, if most of one kind of clients are among them.
public struct FormatReview: Hashable, Sendable {
  /// An odd property of many lines.
  public enum Oddity: String, CaseIterable, Hashable, Sendable {
    /// Targets that begin neither with a slash nor with a scheme.
    case target

    /// Targets that begin with a slash and a host, so that lines seem to name no host.
    case hostInTarget

    /// Hosts that are no hosts.
    case host

    /// Hosts in a field that the format ignores.
    case unreadHost

    /// Lines of a common format without hosts that have a host next to its fields.
    case ignoredHost

    /// Lines that have a name in the place of clients, which is rather that of a site.
    case clientHost

    /// Referrers that are no URLs.
    case referrer

    /// Referring URLs in a field that the format ignores.
    case unreadReferrer

    /// User agents that are values of other fields.
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

    /// Lines of Apple's browsers that aren't requests.
    case rejectedAgent
  }

  /// An oddity of many lines.
  public struct Doubt: Hashable, Sendable {
    /// The odd property.
    public var oddity: Oddity

    /// The number of odd lines.
    public var count: Int

    /// The number of lines that could be odd.
    public var total: Int

    /// The value of the first odd line.
    public var example: [UInt8]
  }

  /// The doubts, in the order of ``Oddity``.
  public private(set) var doubts: [Doubt] = []

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
    var review = ReviewCounts(format, isNamed: isNamed, heading)
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
          review.add(record, in: parser.text.span, of: line, isTime)
          review.addRest(of: line, from: parser.failurePosition)
        case .rejected(.emptyLine), .rejected(.heading): break
        case .rejected: review.addRejected(line)
        }
      }
    }
    doubts = review.doubts
  }
}

/// The numbers of lines of each oddity.
private struct ReviewCounts {
  /// Odd values, and values that could be odd.
  private struct Share {
    var odd = 0
    var all = 0
    var example: [UInt8] = []

    mutating func add(isOdd: Bool, _ value: @autoclosure () -> [UInt8]) {
      all += 1
      guard isOdd else { return }
      if odd == 0 { example = value() }
      odd += 1
    }
  }

  private var shares: [FormatReview.Oddity: Share] = [:]

  /// The requests of Apple's browsers.
  private var appleRequests = 0

  private let namesHost: Bool

  /// The hosts of referrers that are in another field, too.
  private var unreadHosts: Set<[UInt8]> = []

  /// Whether nothing ends a user agent for certain, as quotation marks, tabs and JSON do in formats
  /// with a name, where a short one was sent.
  private let mayCutAgents: Bool

  /// Whether the format is one of the common ones, without hosts, and was detected.
  private let mayIgnoreHosts: Bool

  /// Whether the format was detected, and no format with a name that lacks times.
  private let mayLackTimes: Bool

  /// The number of referrers that name the line's host, or `nil` if no line has one.
  private var agreement: Int?

  /// The hosts of referrers, and the numbers of lines with a name in the place of clients.
  private var referringHosts: Set<[UInt8]> = []
  private var clientNames: [[UInt8]: Int] = [:]

  init(_ format: LogFormat, isNamed: Bool, _ heading: ColumnHeading) {
    mayIgnoreHosts = !isNamed && format.commonLayout.map { !$0.namesHost } ?? false
    mayLackTimes =
      !isNamed
      && (format.name == LogFormat.templateName || format.commonLayout != nil
        || LogFormat.isJSON(named: format.name))
    namesHost = format.canNameHosts(under: heading, hasHostKey: false)
    mayCutAgents = format.name == LogFormat.templateName
  }

  private mutating func add(
    _ oddity: FormatReview.Oddity, isOdd: Bool, _ value: @autoclosure () -> [UInt8]
  ) {
    shares[oddity, default: Share()].add(isOdd: isOdd, value())
  }

  /// Counts a request.
  mutating func add(
    _ record: LogRecord, in text: Span<UInt8>, of line: Span<UInt8>, _ isTime: (Span<UInt8>) -> Bool
  ) {
    func value(_ range: Range<Int>) -> [UInt8] {
      var bytes: [UInt8] = []
      text.extracting(range).append(to: &bytes)
      return bytes
    }
    let target = text.extracting(record.target)
    let segment = target.hostSegment
    add(.target, isOdd: !target.beginsAsTarget, value(record.target))
    if let range = record.host {
      add(.host, isOdd: !text.extracting(range).canBeRequestedHost, value(range))
      let isHost = segment.map { target.extracting($0).isEqual(to: text.extracting(range)) }
      add(.hostInTarget, isOdd: isHost ?? false, value(record.target))
    } else if !namesHost, target.beginsAsTarget {
      add(.hostInTarget, isOdd: segment != nil, value(record.target))
    }
    if mayIgnoreHosts {
      let host = text.hostBesideFields(record)
      add(.ignoredHost, isOdd: host != nil, host.map { value($0) } ?? [])
      if let name = text.clientName { clientNames[value(name), default: 0] += 1 }
    }
    if mayLackTimes { add(.absentTime, isOdd: record.time == nil, []) }
    if let range = record.time, !text.isAbsent(range) {
      add(.time, isOdd: !isTime(text.extracting(range)), value(range))
    }
    if let range = record.referrer {
      let referrer = text.extracting(range)
      add(.referrer, isOdd: !referrer.canBeReferrer, value(range))
      if let host = referrer.hostOfURL {
        referringHosts.insert(host)
        let named = record.host.map { value($0) }
        if let named { agreement = (agreement ?? 0) + (named == host ? 1 : 0) }
        let isUnread = named != host && line.position(ofValue: host) != nil
        if isUnread { unreadHosts.insert(host) }
        add(.unreadHost, isOdd: isUnread, host)
      }
    } else {
      add(.unreadReferrer, isOdd: line.holdsReferrerWithName, [])
    }
    guard let range = record.agent else { return }
    let agent = text.extracting(range)
    add(.agent, isOdd: agent.isOtherField, value(range))
    if agent.namesAppleBrowser { appleRequests += 1 }
    guard agent.begins(with: "Mozilla/") else { return }
    let isShort = agent.firstIndex(of: UInt8(ascii: " ")) == nil
    let isCut =
      agent.endsInParentheses || agent.endsAsItem
      || isShort && (mayCutAgents || line.contains("Mozilla/5.0 ("))
    add(.cutAgent, isOdd: isCut, value(range))
    if mayCutAgents { add(.shortAgent, isOdd: isShort && !isCut, value(range)) }
  }

  /// Counts the rest of a request's line, which was not read from a position on, or was read to its
  /// end if that is 0.
  mutating func addRest(of line: Span<UInt8>, from position: Int) {
    // At the end of a line, a collector can have cut it.
    add(.rest, isOdd: position > 0 && position < line.count, [])
  }

  /// Counts a line that isn't a request.
  mutating func addRejected(_ line: Span<UInt8>) {
    guard line.namesAppleBrowser else { return }
    var bytes: [UInt8] = []
    line.extracting(first: 200).append(to: &bytes)
    add(.rejectedAgent, isOdd: true, bytes)
  }

  /// The name in the place of clients that is rather a site's: referrers name it, or it is the only
  /// one, and has no digit, as the names of most clients have.
  private var doubtfulClient: (name: [UInt8], lines: Int)? {
    let client = clientNames.first { name, _ in
      referringHosts.contains(name)
        || clientNames.count == 1 && !name.contains { $0.isDigit }
    }
    return client.map { ($0.key, $0.value) }
  }

  /// The oddities of too many lines.
  var doubts: [FormatReview.Doubt] {
    var shares = shares
    if let (name, lines) = doubtfulClient {
      let all = shares[.ignoredHost]?.all ?? lines
      shares[.clientHost] = Share(odd: lines, all: all, example: name)
    }
    return FormatReview.Oddity.allCases.compactMap { oddity in
      guard let share = shares[oddity], share.odd > 0, isDoubtful(oddity, share) else { return nil }
      return FormatReview.Doubt(
        oddity: oddity, count: share.odd,
        total: oddity == .rejectedAgent ? share.odd + appleRequests : share.all,
        example: share.example)
    }
  }

  /// The minimum number of times for conclusions from unreadable ones.
  private static let timedRequests = 10

  /// Returns a Boolean value indicating whether so many values are odd that they are not a few
  /// clients' own.
  private func isDoubtful(_ oddity: FormatReview.Oddity, _ share: Share) -> Bool {
    switch oddity {
    // Scanners send some of these.
    case .target: share.odd * 4 >= share.all
    case .host: share.odd * 4 >= share.all * 3
    case .cutAgent: share.odd * 10 >= share.all
    case .rest: share.odd * 20 >= share.all
    case .agent: share.odd * 4 >= share.all
    case .referrer, .shortAgent: share.odd * 2 > share.all
    case .time: share.odd * 2 > share.all && share.all >= Self.timedRequests
    case .absentTime, .hostInTarget: share.odd == share.all
    case .ignoredHost: share.odd * 2 >= share.all
    case .clientHost: true
    case .rejectedAgent: share.odd > appleRequests
    // The name of the only site may be in each line, and a few links lead from host to host.
    case .unreadHost:
      share.odd * 4 >= share.all && agreement.map { $0 == 0 } ?? (unreadHosts.count > 1)
        && !(shares[.ignoredHost].map { isDoubtful(.ignoredHost, $0) } ?? false)
    case .unreadReferrer: share.odd * 10 >= share.all
    }
  }
}

extension Span<UInt8> {
  /// A Boolean value indicating whether a path, a scheme, an asterisk, or an authority begins these
  /// bytes (RFC 9112, 3.2).
  fileprivate var beginsAsTarget: Bool {
    guard count > 0 else { return false }
    if self[0] == UInt8(ascii: "/") || count == 1 && self[0] == UInt8(ascii: "*") { return true }
    return beginsAsURL || isHostName || beginsWithAddress
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

  /// A Boolean value indicating whether these bytes can be what a client asked for as a host.
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
      record.time, record.method.lowerBound..<record.target.upperBound, record.referrer,
      record.agent,
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
      // After the request, a URL is a referrer.
      if word.upperBound <= record.method.lowerBound, extracting(word).hostOfURL != nil {
        return word
      }
      if isHost(word, isFirst: first == start) { return word }
    }
    return nil
  }

  /// Returns a Boolean value indicating whether a word next to the fields holds a host.
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
      && (!begins(with: " [", at: word.upperBound) || value.hasSeveralStops)
  }

  /// A Boolean value indicating whether there are two full stops or more.
  private var hasSeveralStops: Bool {
    firstIndex(of: UInt8(ascii: ".")).map { firstIndex(of: UInt8(ascii: "."), from: $0 + 1) != nil }
      ?? false
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

  /// A Boolean value indicating whether a line has a URL next to the name of the referrer's header.
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

  /// A Boolean value indicating whether these bytes can be a referrer: a URL, or a part of one.
  fileprivate var canBeReferrer: Bool {
    if beginsAsURL || count > 0 && self[0] == UInt8(ascii: "/") { return true }
    let looks = ValueLooks(self)
    return looks.isDisjoint(with: [
      .browser, .product, .address, .number, .time, .commonTime, .request, .status, .day,
      .timeOfDay,
    ])
  }

  /// A Boolean value indicating whether these bytes are a value of another field than a user agent.
  fileprivate var isOtherField: Bool {
    let looks = ValueLooks(self)
    if looks.contains(.browser) { return contains("\" \"") }
    return !looks.isDisjoint(with: [
      .url, .address, .number, .time, .path, .request, .day, .timeOfDay,
    ])
  }

  /// A Boolean value indicating whether a separator ends these bytes.
  fileprivate var endsAsItem: Bool { count > 0 && ";,|".utf8.contains(self[count - 1]) }

  /// A Boolean value indicating whether a parenthesis is open at the end of these bytes.
  fileprivate var endsInParentheses: Bool {
    var depth = 0
    for index in indices {
      if self[index] == UInt8(ascii: "(") { depth += 1 }
      if self[index] == UInt8(ascii: ")"), depth > 0 { depth -= 1 }
    }
    return depth > 0
  }

  /// A Boolean value indicating whether a browser on an iPhone or iPad is named.
  package var namesAppleBrowser: Bool {
    contains("Mozilla/") && (contains("iPhone") || contains("iPad"))
  }
}
