internal import Foundations

// The fields of the columns of some lines, determined from their values.
//
// Where two readings are equally likely, there is no result: a log that is read wrongly gives
// plausible but wrong figures.
extension FormatInference {
  /// Finds the fields of columns, unless `names` has those that a heading names.
  ///
  /// There is no result if no request can be read, or not for certain.
  init?(_ columns: [Column], names: [LogField?]? = nil) {
    guard columns.count >= 3, !columns[0].values.isEmpty else { return nil }
    self.columns = columns
    looks = columns.map { $0.values.map { ValueLooks($0.span) } }
    fields = names ?? Array(repeating: nil, count: columns.count)
    if names != nil { return }
    guard assignRequest(), assignStatus(), assignAgent(), assignReferrer() else { return nil }
    guard assignTime(), assignHost(), assignQuery() else { return nil }
    // Many lines that are not requests hold a path and a number.
    guard
      has(.request) || has(.method)
        || has(.agent) && looks.contains(where: { $0.contains { $0.contains(.address) } })
    else { return nil }
  }

  private var lineCount: Int { columns[0].values.count }

  /// Minimum number of lines for conclusions about rare values.
  private static let fewLines = 8

  private func has(_ field: LogField) -> Bool { fields.contains(field) }

  func column(of field: LogField) -> Int? { fields.firstIndex(of: field) }

  /// The columns without a field.
  private var open: [Int] { fields.indices.filter { fields[$0] == nil } }

  private func count(_ column: Int, _ kinds: ValueLooks) -> Int {
    looks[column].count { !$0.isDisjoint(with: kinds) }
  }

  /// Returns whether at least so many hundredths of a column's values are of some kinds.
  private func holds(_ column: Int, _ kinds: ValueLooks, percent: Int = 100) -> Bool {
    count(column, kinds) * 100 >= lineCount * percent
  }

  private func areSame(_ one: Int, _ other: Int) -> Bool {
    columns[one].values == columns[other].values
  }

  /// The first of some columns if all of them are the same, or `nil`.
  private func only(_ candidates: [Int]) -> Int? {
    guard let first = candidates.first else { return nil }
    return candidates.allSatisfy { $0 == first || areSame($0, first) } ? first : nil
  }

  /// Assigns a field to a column, and returns whether there is one.
  private mutating func assign(_ field: LogField, _ column: Int?) -> Bool {
    guard let column else { return false }
    fields[column] = field
    return true
  }

  // MARK: - Request and status

  private mutating func assignRequest() -> Bool {
    let requests = open.filter { column in
      let requests = count(column, .request)
      return requests > 0 && requests * 2 >= lineCount - count(column, .absent)
    }
    if !requests.isEmpty { return assign(.request, only(requests)) }
    let method = open.first {
      count($0, .method) > 0 && holds($0, [.method, .absent], percent: 90)
    }
    if let method { fields[method] = .method }
    return assign(.target, target(after: method))
  }

  private func target(after method: Int?) -> Int? {
    let all = open.filter { holds($0, [.path, .url], percent: 50) && count($0, .path) > 0 }
    let paths = all.filter { file in !all.contains { $0 != file && holdsFiles(file, of: $0) } }
    let targets = paths.isEmpty ? open.filter { holds($0, .url, percent: 90) } : paths
    // Servers log the path after rewriting, too, which has no query.
    let certain = targets.filter {
      paths.isEmpty ? count($0, .absent) == 0 : count($0, .pathWithQuery) > 0
    }
    return only(targets) ?? only(certain)
      ?? method.flatMap { targets.contains($0 + 1) ? $0 + 1 : nil }
  }

  /// Returns whether a column holds the names of the files that a server sends for the paths in
  /// another one.
  private func holdsFiles(_ column: Int, of paths: Int) -> Bool {
    var longer = 0
    for (file, path) in zip(columns[column].values, columns[paths].values) {
      let end = path.prefix { $0 != UInt8(ascii: "?") }
      // A directory has an index.
      if end.last == UInt8(ascii: "/") { continue }
      guard file.count > end.count, file.suffix(end.count).elementsEqual(end) else { return false }
      longer += 1
    }
    return longer > 0
  }

  private mutating func assignStatus() -> Bool {
    var candidates = open.filter {
      count($0, .status) > 0 && holds($0, [.status, .absent], percent: 95)
        && holds($0, .status, percent: 80)
    }
    let certain = candidates.filter { holds($0, .status) }
    if !certain.isEmpty { candidates = certain }
    if assign(.status, only(candidates)) { return true }
    // In a few lines, a size can look like a status; in all lines, so can the status of an upstream
    // server after this one. After a quoted request, the status mostly comes first.
    let requestEnd = column(of: .request) ?? column(of: .target) ?? 0
    guard lineCount >= Self.fewLines || columns[requestEnd].mark == UInt8(ascii: "\"") else {
      return false
    }
    guard candidates.contains(requestEnd + 1),
      !candidates.contains(where: { $0 < requestEnd })
    else { return false }
    var status = requestEnd + 1
    if lineCount >= Self.fewLines, candidates.contains(status + 1), !areSame(status, status + 1) {
      // The status of an upstream server can also come first.
      let client = [status, status + 1].filter { column in
        // Only the server next to the client logs these, for a bad request or a client that left.
        columns[column].values.contains {
          $0.span.isOne(of: ["444", "460", "494", "495", "496", "497", "499"])
        }
      }
      guard client.count == 1 else { return false }
      status = client[0]
    }
    return assign(.status, status)
  }

  // MARK: - Clients

  private mutating func assignAgent() -> Bool {
    func best(_ kind: ValueLooks) -> [Int] {
      let candidates = open.filter { count($0, kind) > 0 }
      let most = candidates.map { count($0, kind) }.max()
      return candidates.filter { count($0, kind) == most }
    }
    let browsers = best(.browser)
    if !browsers.isEmpty { return assign(.agent, only(browsers)) }
    // Where there are only programs, quoted or between other delimiters.
    let products = best([.product]).filter { holds($0, [.product, .absent], percent: 50) }
    return products.isEmpty || assign(.agent, only(products))
  }

  private mutating func assignReferrer() -> Bool {
    let agent = column(of: .agent)
    // The host of each line, with its scheme.
    if open.contains(where: { columns[$0].values.allSatisfy { $0.span.isOrigin } }) { return false }
    var candidates = open.filter {
      count($0, .url) > 0 && holds($0, [.url, .absent], percent: 70) && holdsPages($0)
    }
    if candidates.isEmpty {
      // Nothing in these lines was linked. Servers write the referrer before the user agent.
      guard let agent else { return true }
      let empty = open.filter { holds($0, .absent) && columns[$0].mark == columns[agent].mark }
      let beside = [agent - 1, agent + 1].filter(empty.contains)
      if let referrer = beside.first, columns[agent].mark != 0 || empty.count == 1 {
        fields[referrer] = .referrer
      }
      return true
    }
    if candidates.count > 1 {
      // Origins have no path.
      let withPaths = candidates.filter { column in
        columns[column].values.contains { $0.span.hasPathBehindHost }
      }
      if !withPaths.isEmpty { candidates = withPaths }
    }
    return assign(.referrer, only(candidates))
  }

  /// Returns whether some URL of a column can be that of a page or an app, and not the origin of a
  /// script's request.
  private func holdsPages(_ column: Int) -> Bool {
    zip(columns[column].values, looks[column]).contains { value, looks in
      looks.contains(.url) && !value.span.isOrigin
    }
  }

  // MARK: - Time

  /// Finds the column of times, and returns whether it, or that there is none, is certain.
  private mutating func assignTime() -> Bool {
    let times = open.filter { holds($0, .time, percent: 90) }
    if times.count > 1 { return assign(.time, ownTime(among: times)) }
    if assign(.time, times.first) { return true }
    if let day = open.first(where: { holds($0, .day, percent: 90) }),
      let time = open.first(where: { holds($0, .timeOfDay, percent: 90) })
    {
      (fields[day], fields[time]) = (.date, .time)
      return true
    }
    if let time = open.first(where: { holds($0, .epoch) }) { fields[time] = .time }
    return true
  }

  /// Returns the column of the times of requests among several columns of times, or `nil` if none is
  /// certain.
  ///
  /// Servers write lines in the order of their times, but not in that of when files were changed.
  private func ownTime(among times: [Int]) -> Int? {
    let keys = times.map { column in columns[column].values.map { $0.span.timeKey } }
    // A few milliseconds around midnight make another day.
    let sameDays = (0..<lineCount).count { line in
      Set(keys.map { $0[line].prefix(8) }).count == 1
    }
    if sameDays * 20 >= lineCount * 19 { return times.first }
    let disorders = keys.map { keys in
      zip(keys, keys.dropFirst()).count { $1.lexicographicallyPrecedes($0) }
    }
    let least = disorders.min()
    let best = times.indices.filter { disorders[$0] == least }
    return best.count == 1 ? times[best[0]] : nil
  }

  // MARK: - Host

  /// Finds the column of hosts.
  ///
  /// A value that names none can stand for a host: health checks ask for an address or for
  /// `localhost`, and servers write a dash where a request has no host. So a single name makes a
  /// column one of hosts if all other values can stand for one.
  ///
  /// - Returns: Whether the column, or that there is none, is certain.
  private mutating func assignHost() -> Bool {
    let candidates = open.filter { column in
      var (names, others) = (0, 0)
      for (value, looks) in zip(columns[column].values, looks[column]) {
        if looks.contains(.host) {
          if !value.span.isInternalHost { names += 1 }
        } else if value.span.isLocalhost {
          names += 1
        } else if !value.span.canStandForHost(looks) {
          others += 1
        }
      }
      // A machine's name is the host of a site only if links within the site name it.
      return others * 20 <= lineCount && (names > 0 || matches(column) > 0)
    }
    if candidates.isEmpty {
      // Links within the site name the host of the lines, so such a column should be read.
      return !open.contains { holds($0, .host, percent: 25) && matches($0) > 0 }
    }
    if let host = only(candidates) {
      guard let isHost = isHost(host) else { return false }
      return !isHost || assign(.host, host)
    }
    // Servers have names, too: links within the site name the host.
    let requested = requestedHost(among: candidates)
    let most = candidates.map(matches).max() ?? 0
    let linked = candidates.filter { matches($0) == most }
    let isLinked = requested.map { matches($0) > 0 } ?? false
    return assign(.host, !isLinked && most > 0 && linked.count == 1 ? linked[0] : requested)
  }

  /// Returns the column of requested hosts among those of hosts and servers, or `nil` if none is
  /// certain.
  ///
  /// A server has one name, but clients ask it for several hosts.
  private func requestedHost(among candidates: [Int]) -> Int? {
    let requested = candidates.filter { column in
      candidates.allSatisfy { other in
        other == column || decides(column, other) && !decides(other, column)
      }
    }
    return requested.count == 1 ? requested[0] : nil
  }

  /// Returns whether equal values of a column have equal values in another one.
  private func decides(_ column: Int, _ other: Int) -> Bool {
    var known: [[UInt8]: [UInt8]] = [:]
    for (value, theirs) in zip(columns[column].values, columns[other].values) {
      if let known = known[value], known != theirs { return false }
      known[value] = theirs
    }
    return true
  }

  /// Returns the number of lines whose referrers name the host in a column.
  private func matches(_ column: Int) -> Int {
    guard let referrer = self.column(of: .referrer) else { return 0 }
    return zip(columns[referrer].values, columns[column].values).count { referrer, value in
      referrer.span.hostOfURL.map { $0 == value.span.lowercasedHost } ?? false
    }
  }

  /// Returns whether the only column of names holds hosts, not clients, users or machines; `nil` if
  /// both are likely.
  private func isHost(_ column: Int) -> Bool? {
    if matches(column) > 0 { return true }
    let hasAddress = open.contains {
      $0 != column && count($0, .address) > 0 && holds($0, [.address, .absent], percent: 90)
    }
    guard holds(column, .host, percent: 80) else {
      if count(column, .address) > 0, !hasAddress {
        // The names of some clients were looked up, `localhost` among them; most have digits.
        let areClients = zip(columns[column].values, looks[column]).allSatisfy { value, looks in
          !looks.contains(.host) || value.contains { $0.isDigit }
        }
        return areClients && holds(column, .address, percent: 50) ? false : nil
      }
      // `john.doe` reads as a host, but no user has two full stops.
      let isUser = count(column, [.host, .absent]) == lineCount && !hasLongName(column)
      return isUser ? nil : true
    }
    return mayBeHost(column, hasAddress: hasAddress)
  }

  /// Returns whether a value of a column has two full stops or more.
  private func hasLongName(_ column: Int) -> Bool {
    zip(columns[column].values, looks[column]).contains { value, looks in
      looks.contains(.host) && value.count { $0 == UInt8(ascii: ".") } > 1
    }
  }

  /// Returns whether a column that has mostly names holds hosts, although no referrer names them.
  private func mayBeHost(_ column: Int, hasAddress: Bool) -> Bool {
    let names = Set(columns[column].values.map { $0.span.lowercasedHost })
    if holds(1, .absent), self.column(of: .time) ?? 3 == 3 {
      // `client.example.net - - [10/Oct/2000:13:55:36 -0700]`
      if column == 0, !hasAddress, fields[2] == nil, count(2, .number) == 0 { return false }
      // `192.0.2.1 - john.doe [10/Oct/2000:13:55:36 -0700]`
      if column == 2, open.contains(0), lineCount < Self.fewLines, !hasLongName(column) {
        return false
      }
    }
    if names.count * 4 > lineCount, lineCount >= 16 { return hasAddress && column == 0 }
    // A machine has one name; most links then come from the pages of the site that it serves.
    guard names.count == 1, !names.contains(where: { $0.starts(with: "www.".utf8) }),
      let referrer = self.column(of: .referrer)
    else { return true }
    let referrers = columns[referrer].values.filter { $0.span.hostOfURL != nil }
    let pages = Dictionary(grouping: referrers) { $0.span.hostOfURL }.values
    guard referrers.count >= 10, let most = pages.max(by: { $0.count < $1.count }) else {
      return true
    }
    return most.count * 2 <= referrers.count || Set(most).count == 1
  }

  // MARK: - Query

  var targetsHaveQueries: Bool {
    column(of: .target).map { count($0, .pathWithQuery) > 0 } ?? false
  }

  /// Finds the column of queries.
  ///
  /// - Returns: Whether the column, or that there is none, is certain: a label such as `rt=0.005`
  ///   looks like a query.
  private mutating func assignQuery() -> Bool {
    if let request = column(of: .request) { return !separatesQueries(request) }
    guard let target = column(of: .target), count(target, .pathWithQuery) == 0 else { return true }
    let candidates = open.filter { bodyCount($0) < Self.leastBodies }
    let queries = candidates.filter { column in
      guard count(column, .query) > 0 else { return false }
      // `?flag` has no equals sign.
      return holds(column, [.query, .absent]) || column == target + 1 && holdsWords(column)
    }
    // Values of another kind can be the queries of programs.
    if queries.isEmpty, candidates.contains(where: { count($0, .query) * 4 >= lineCount }) {
      return false
    }
    // `sn=a,host=www.example.com` names the site in each line.
    let namesSite = queries.contains { column in
      columns[column].values.allSatisfy { $0.span.holdsSiteName }
    }
    // Too few to tell.
    if namesSite || queries.contains(where: { bodyCount($0) > 0 }) { return false }
    let certain = queries.filter { !isLabel($0, isBesideTarget: $0 == target + 1) }
    guard certain.count == 1, let query = certain.first else { return queries.isEmpty }
    // A body is written as a query is.
    if query != target + 1, queries.contains(target + 1) { return false }
    fields[query] = .query
    return true
  }

  /// The minimum number of values that make a column one of bodies of requests.
  private static let leastBodies = 8

  /// Returns the number of values of a column if only requests with a body have one, else 0.
  private func bodyCount(_ column: Int) -> Int {
    guard let method = self.column(of: .method) else { return 0 }
    let methods = zip(columns[method].values, looks[column]).filter { !$1.contains(.absent) }
    let areBodies = methods.allSatisfy { $0.0.span.isOne(of: ["POST", "PUT", "PATCH"]) }
    return areBodies ? methods.count : 0
  }

  /// Returns whether queries are in a column next to requests without them, which are put together
  /// from a method and a path.
  private func separatesQueries(_ requests: Int) -> Bool {
    let requests = columns[requests].values
    guard requests.allSatisfy({ !$0.contains(UInt8(ascii: "?")) }) else { return false }
    return open.contains { column in
      // Others send a body in the form of a query.
      holds(column, [.query, .absent]) && !isLabel(column, isBesideTarget: false)
        && zip(requests, looks[column]).contains { request, looks in
          looks.contains(.query) && request.starts(with: "GET ".utf8)
        }
    }
  }

  /// Returns whether all values of a column are queries or single words that are nothing else.
  private func holdsWords(_ column: Int) -> Bool {
    zip(columns[column].values, looks[column]).allSatisfy { value, looks in
      !looks.isDisjoint(with: [.query, .absent]) || looks.isEmpty && !value.contains { $0.isBlank }
    }
  }

  /// Returns whether a column can be a value with a label rather than a query: there is only one
  /// name, and it doesn't follow the path, or a number does.
  private func isLabel(_ column: Int, isBesideTarget: Bool) -> Bool {
    var names: Set<[UInt8]> = []
    for (value, looks) in zip(columns[column].values, looks[column])
    where looks.contains(.query) {
      guard !value.contains(UInt8(ascii: "&")), value.first != UInt8(ascii: "?") else {
        return false
      }
      let parts = value.split(separator: UInt8(ascii: "="), maxSplits: 1).map { Array($0) }
      names.insert(parts.first ?? [])
      guard isBesideTarget else { continue }
      guard let text = parts.dropFirst().first else { return false }
      let isNumber = text.span.isNumber
      if !isNumber { return false }
    }
    return names.count == 1
  }
}

extension Span<UInt8> {
  /// Returns whether a value that is no host's name, nor `localhost`, can be in a column of hosts.
  fileprivate func canStandForHost(_ looks: ValueLooks) -> Bool {
    if looks.contains(.address) { return firstIndex(of: UInt8(ascii: ",")) == nil }
    // A port can follow.
    let end = firstIndex(of: UInt8(ascii: ":")) ?? count
    return isAbsent(0..<end) || end == 1 && self[0] == UInt8(ascii: "_")
  }

  /// Whether these bytes are `localhost`, with or without a port.
  fileprivate var isLocalhost: Bool {
    begins(with: "localhost") && (count == 9 || self[9] == UInt8(ascii: ":"))
  }

  /// Whether these bytes are a URL of the web without the slash after its host, which every page
  /// has.
  var isOrigin: Bool {
    begins(with: "http") && beginsAsURL && indices.count { self[$0] == UInt8(ascii: "/") } == 2
  }

  /// Returns the host of a URL in lower case, without its port, or `nil` if this isn't a URL.
  var hostOfURL: [UInt8]? {
    guard beginsAsURL, let slash = firstIndex(of: UInt8(ascii: "/")) else { return nil }
    let start = slash + 2
    let end = firstIndex(of: UInt8(ascii: "/"), from: start) ?? count
    guard end > start else { return nil }
    return extracting(start..<end).lowercasedHost
  }

  /// The digits of a time, the year first, if the name or the position of its month is certain; else
  /// all digits.
  fileprivate var timeKey: [UInt8] {
    let digits = indices.map { self[$0] }.filter(\.isDigit)
    guard isCommonTime(from: 0), let month = monthNumber(at: 3) else { return digits }
    let rest = digits.dropFirst(2)
    return rest.prefix(4) + Array((month < 10 ? "0\(month)" : "\(month)").utf8) + digits.prefix(2)
      + rest.dropFirst(4)
  }

  /// A host in lower case, without its port.
  var lowercasedHost: [UInt8] {
    let end = firstIndex(of: UInt8(ascii: ":")) ?? count
    return (0..<end).map { self[$0].asciiLowercased }
  }

  /// Returns whether a URL has a path longer than a slash.
  fileprivate var hasPathBehindHost: Bool {
    guard beginsAsURL, let slash = firstIndex(of: UInt8(ascii: "/")), slash + 2 < count,
      let path = firstIndex(of: UInt8(ascii: "/"), from: slash + 2)
    else { return false }
    return path + 1 < count
  }
}
