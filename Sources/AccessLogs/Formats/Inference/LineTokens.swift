internal import Foundations

/// The values of a line, and the text between them.
struct LineTokens {
  /// The values, without the quotation marks or brackets around them.
  private(set) var values: [Range<Int>] = []

  /// For each value, the mark around it: a quotation mark, a bracket, or 0.
  private(set) var marks: [UInt8] = []

  private static let limit = 120

  private mutating func add(_ value: Range<Int>, _ mark: UInt8) {
    values.append(value)
    marks.append(mark)
  }

  // MARK: - Blanks

  /// Finds the values of a line with blanks between them.
  ///
  /// A list with commas is one value, and so are a time and its zone. A value can follow the
  /// closing mark of another one without a blank, as in `["0.01"]"https://www.example.com/"`. There
  /// is no result if a quotation mark is missing.
  init?(betweenBlanks line: Span<UInt8>) {
    var position = 0
    while true {
      while position < line.count, line[position].isBlank { position += 1 }
      guard position < line.count else { break }
      guard values.count < Self.limit else { return nil }
      switch line[position] {
      case UInt8(ascii: "\""):
        guard addMarked(line, position, &position) else { return nil }
      case UInt8(ascii: "["):
        if !addMarked(line, position, &position) { addWord(line, &position) }
      default:
        if !addLabeled(line, &position) { addWord(line, &position) }
      }
    }
    if values.isEmpty { return nil }
  }

  /// Adds a value whose opening quotation mark or bracket is at `mark`, and returns whether it is
  /// closed.
  private mutating func addMarked(
    _ line: Span<UInt8>, _ mark: Int, _ position: inout Int
  ) -> Bool {
    let isQuoted = line[mark] == UInt8(ascii: "\"")
    guard
      let end = isQuoted
        ? line.closingQuoteOfWord(from: mark + 1) : line.closingBracket(from: mark + 1)
    else { return false }
    add((mark + 1)..<end, line[mark])
    position = end + 1
    while position < line.count, ",;|])}>".utf8.contains(line[position]) { position += 1 }
    return true
  }

  /// Adds a value in quotation marks after a label, as in `ua="curl/8"`.
  private mutating func addLabeled(_ line: Span<UInt8>, _ position: inout Int) -> Bool {
    let wordEnd = line.firstBlank(from: position)
    guard let index = line.firstIndex(of: UInt8(ascii: "\""), from: position, to: wordEnd),
      index > position,
      line[index - 1] == UInt8(ascii: "=") || line[index - 1] == UInt8(ascii: ":")
    else { return false }
    return addMarked(line, index, &position)
  }

  private mutating func addWord(_ line: Span<UInt8>, _ position: inout Int) {
    let start = position
    var end = line.firstBlank(from: start)
    // A value in quotation marks can follow a word without a blank.
    if let quote = line.firstIndex(of: UInt8(ascii: "\""), from: start + 1, to: end),
      line.closingQuoteOfWord(from: quote + 1) != nil
    {
      add(start..<quote, 0)
      position = quote
      return
    }
    while end > start, line[end - 1] == UInt8(ascii: ","), end + 1 < line.count,
      line[end] == UInt8(ascii: " "), !line[end + 1].isBlank,
      !line.extracting(start..<(end - 1)).isHostName
    {
      end = line.firstBlank(from: end + 1)
    }
    // `10/Oct/2000:13:55:36 -0700`
    if end - start == 20, line.isCommonTime(from: start), end + 5 < line.count,
      line[end + 1] == UInt8(ascii: "+") || line[end + 1] == UInt8(ascii: "-"),
      line[end + 2].isDigit
    {
      end = line.firstBlank(from: end + 1)
    }
    add(line.insideMarks(start..<end), 0)
    position = end
  }

  // MARK: - Other delimiters

  /// Finds the values of a line with a delimiter between them.
  init(_ line: Span<UInt8>, delimiter: UInt8, doublesQuotes: Bool) {
    var position = 0
    while values.count < Self.limit,
      let value = line.nextValue(delimiter, doublesQuotes: doublesQuotes, &position)
    {
      add(value.range, value.isQuoted ? UInt8(ascii: "\"") : 0)
    }
  }

  /// Returns whether a word is several values with another delimiter between them, one of which is
  /// a host or a URL.
  func holdsDelimitedValues(in text: [UInt8], at column: Int) -> Bool {
    guard marks[column] == 0 else { return false }
    let parts = text[values[column]].split(omittingEmptySubsequences: false) {
      "|,;\t\"".utf8.contains($0)
    }
    return parts.count > 1
      && parts.contains { Array($0).span.isHostName || Array($0).span.beginsAsURL }
  }

  /// Returns whether two quotation marks inside a value may end one value and begin another.
  ///
  /// In `"192.0.2.1""https://www.example.com/"`, they may also stand for one quotation mark.
  /// A quotation mark or a bracket next to a bracket shows it, too:
  /// `[0.01]"https://www.example.com/"`.
  func holdsGluedValues(in line: Span<UInt8>, hasDoubledQuotes: Bool) -> Bool {
    values.contains { range in
      let value = line.extracting(range)
      if value.contains("]\"") || value.contains("\"[") || value.contains("][") { return true }
      guard hasDoubledQuotes else { return false }
      var (start, marks) = (0, 0)
      while let found = value.position(of: "\"\"", from: start) {
        if value.extracting(start..<found).beginsAsGluedValue(isFirst: marks == 0) { return true }
        (start, marks) = (found + 2, marks + 1)
      }
      guard marks > 0 else { return false }
      // A single mark at the end may close the value, and begin an empty one.
      if start == value.count { return !marks.isMultiple(of: 2) }
      return value.extracting(start..<value.count).beginsAsGluedValue(isFirst: false)
    }
  }

  /// Returns the values with those joined that the delimiter divides inside parentheses, as it
  /// divides `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X)`, and without marks around
  /// values.
  ///
  /// Parentheses that are never closed join nothing.
  func joiningParentheses(in line: Span<UInt8>) -> LineTokens {
    var joined = self
    (joined.values, joined.marks) = ([], [])
    var index = 0
    while index < values.count {
      var end = index
      var depth = 0
      while end < values.count, marks[end] == 0 {
        depth += line.extracting(values[end]).parenthesisDepth
        if depth <= 0 { break }
        end += 1
      }
      let isClosed = end < values.count && marks[end] == 0
      let last = isClosed ? end : index
      let value = values[index].lowerBound..<values[last].upperBound
      joined.add(marks[index] == 0 ? line.insideMarks(value) : value, marks[index])
      index = last + 1
    }
    return joined
  }
}

extension Span<UInt8> {
  /// The length of a label with its equals sign or colon at the beginning, as in `rt=0.005` and
  /// `vhost:www.example.com`, or of the scheme before a host alone, or `nil` if there is none.
  var labelLength: Int? {
    for scheme in ["https://", "http://"] as [StaticString] where begins(with: scheme) {
      let length = scheme.utf8CodeUnitCount
      return extracting(length..<count).canStandForHost ? length : nil
    }
    guard count > 1, self[0].isLetter || self[0] == UInt8(ascii: "_") else { return nil }
    var mark = 1
    while mark < Swift.min(count, 40), self[mark].isInHostName { mark += 1 }
    guard mark < Swift.min(count, 40) else { return nil }
    if self[mark] == UInt8(ascii: "=") { return mark + 1 }
    // A scheme, an address, or a host with its port.
    guard self[mark] == UInt8(ascii: ":"), mark + 1 < count, self[mark + 1] != UInt8(ascii: "/"),
      firstIndex(of: UInt8(ascii: "."), from: 0, to: mark) == nil, !isAddress,
      !extracting((mark + 1)..<count).isNumber
    else { return nil }
    return mark + 1
  }

  var isLabeledHost: Bool { labelLength.map { extracting($0..<count).isHostName } ?? false }

  /// Whether a host of a site is in a word: alone, or between marks that separate it from the rest.
  ///
  /// Behind a slash, it is a part of a path or of another URL.
  var holdsSiteName: Bool {
    var start = 0
    while start < count {
      var end = start
      while end < count, self[end].isInSiteName { end += 1 }
      var name = extracting(start..<end)
      // `www.example.com-203.0.113.9`
      if let dash = name.lastIndex(of: UInt8(ascii: "-"), from: 0, to: name.count),
        dash + 1 < name.count, name[dash + 1].isDigit
      {
        name = name.extracting(0..<dash)
      }
      if name.isHostName, !name.isInternalHost { return true }
      while end < count, !self[end].isInSiteName {
        if self[end] == UInt8(ascii: "/") || self[end].isBlank { return false }
        end += 1
      }
      start = end
    }
    return false
  }

  /// Returns a word without the parentheses, braces or other marks around it, and a host without the
  /// mark after it.
  fileprivate func insideMarks(_ word: Range<Int>) -> Range<Int> {
    guard word.count > 1 else { return word }
    switch (self[word.lowerBound], self[word.upperBound - 1]) {
    case (UInt8(ascii: "("), UInt8(ascii: ")")), (UInt8(ascii: "<"), UInt8(ascii: ">")),
      (UInt8(ascii: "{"), UInt8(ascii: "}")), (UInt8(ascii: "'"), UInt8(ascii: "'")):
      let inside = (word.lowerBound + 1)..<(word.upperBound - 1)
      return hasBlank(inside) ? word : inside
    // `www.example.com/`, `www.example.com:`
    case (_, UInt8(ascii: "/")), (_, UInt8(ascii: ":")):
      let inside = word.lowerBound..<(word.upperBound - 1)
      return !extracting(word).isAddress && extracting(inside).canStandForHost ? inside : word
    default: return word
    }
  }

  private var canStandForHost: Bool {
    isHostName || beginsWithAddress || isAbsent(indices) && count > 0
      || count == 9 && begins(with: "localhost")
  }

  /// Returns whether these bytes are a value of their own, between two quotation marks, rather than
  /// a part of a user agent with quotation marks in it.
  fileprivate func beginsAsGluedValue(isFirst: Bool) -> Bool {
    guard count > 0 else { return false }
    return isAny(of: [.absent, .url, .address, .host, .number, .time, .request])
      || count >= 8 && indices.allSatisfy { self[$0].isHexadecimalDigit }
      || !isFirst && begins(with: "Mozilla/")
  }

  /// The number of opening parentheses without a closing one.
  fileprivate var parenthesisDepth: Int {
    var depth = 0
    for index in indices {
      if self[index] == UInt8(ascii: "(") { depth += 1 }
      if self[index] == UInt8(ascii: ")") { depth -= 1 }
    }
    return depth
  }

  /// The next quotation mark that isn't escaped and that ends a word, or `nil` if there is none.
  fileprivate func closingQuoteOfWord(from start: Int) -> Int? {
    closingQuote(from: start) {
      $0 == count || self[$0].isBlank || ",;|])".utf8.contains(self[$0])
        || beginsMarkedValue(at: $0)
    }
  }

  /// Returns whether a quotation mark or a bracket at a position begins a value.
  ///
  /// A quotation mark before a blank or at the end closes one.
  private func beginsMarkedValue(at position: Int) -> Bool {
    guard position + 1 < count, !self[position + 1].isBlank else { return false }
    return self[position] == UInt8(ascii: "\"") || self[position] == UInt8(ascii: "[")
  }

  /// The next bracket that ends a word, or `nil` if there is none.
  fileprivate func closingBracket(from start: Int) -> Int? {
    var search = start
    while let bracket = firstIndex(of: UInt8(ascii: "]"), from: search) {
      search = bracket + 1
      if search == count || self[search].isBlank || beginsMarkedValue(at: search) { return bracket }
    }
    return nil
  }

  /// Returns the next value of a line with a delimiter between values, and moves the position after
  /// the delimiter.
  ///
  /// Past the end, the position is one more than the length.
  ///
  /// A value excludes spaces, quotation marks and brackets around it. A value can be empty.
  @inline(__always)
  func nextValue(
    _ delimiter: UInt8, doublesQuotes: Bool, _ position: inout Int
  ) -> (range: Range<Int>, isQuoted: Bool)? {
    guard position <= count else { return nil }
    let space = UInt8(ascii: " ")
    var start = spacesEnd(from: position)
    if start < count, byte(start) == UInt8(ascii: "\""),
      let quote = closingQuote(
        from: start + 1, isDoubled: doublesQuotes,
        where: { next in
          let end = spacesEnd(from: next)
          return end == count || byte(end) == delimiter
        })
    {
      position = spacesEnd(from: quote + 1) + 1
      return ((start + 1)..<quote, true)
    }
    var end = firstIndex(of: delimiter, from: start) ?? count
    position = end + 1
    while end > start, byte(end - 1) == space { end -= 1 }
    if end - start >= 2, byte(start) == UInt8(ascii: "["), byte(end - 1) == UInt8(ascii: "]") {
      (start, end) = (start + 1, end - 1)
    }
    return (start..<end, false)
  }

  @inline(__always)
  private func spacesEnd(from start: Int) -> Int {
    var position = start
    while position < count, byte(position) == UInt8(ascii: " ") { position += 1 }
    return position
  }
}

extension UInt8 {
  /// Whether the registered name of a site can hold this byte.
  fileprivate var isInSiteName: Bool { isInHostName && self != UInt8(ascii: "_") }
}
