/// Reads a line of a list of routes.
struct RouteLineReader {
  typealias Reason = RouteTable.Omission.Reason

  /// Why a line names no route.
  struct Failure: Error {
    var reason: Reason

    init(_ reason: Reason) { self.reason = reason }
  }

  let context: RouteContext

  /// The bytes of a line, at most: looking for brackets takes time that grows with its
  /// square.
  static let lengthLimit = 2_048

  /// Ways to leave parts out, at most: six parts that are independent of one another.
  private static let alternativeLimit = 64

  /// Segments in all of these ways, at most.
  private static let segmentLimit = 2_048

  private var words: RouteWordReader {
    RouteWordReader(marks: context.syntax.marks, starIsOne: context.starIsOne)
  }

  /// Reads a line without its comment, which isn't empty.
  func read(_ line: ArraySlice<UInt8>) -> Result<RoutePattern, Failure> {
    do throws(Failure) {
      if line.count > Self.lengthLimit { throw Failure(.tooLong) }
      let line = line.withoutQuotes
      if context.syntax.isOfFiles { return .success(try file(line)) }
      if context.syntax == .android || (context.syntax == .mixed && line.isAndroidData) {
        let data = try AndroidRoute(line, host: context.host)
        return .success(RoutePattern(source: line.text, paths: data.paths))
      }
      return .success(try path(line))
    } catch {
      return .failure(error)
    }
  }

  private func file(_ line: ArraySlice<UInt8>) throws(Failure) -> RoutePattern {
    let file = RouteFile(
      line.dropFirst(context.directoryLength), isNextJS: context.syntax == .nextJS)
    let words = try file.words(hasPageFiles: context.hasPageFiles)
    return RoutePattern(source: line.text, paths: [RoutePath(elements: try elements(words))])
  }

  private func path(_ line: ArraySlice<UInt8>) throws(Failure) -> RoutePattern {
    guard line.looksLikeRoute else { throw Failure(.noRoute) }
    let text = try withoutHost(line)
    let (path, query) = parts(text)
    if path.contains(UInt8(ascii: "#")) { throw Failure(.fragment) }
    var paths: [RoutePath] = []
    for alternative in try expanded(path) {
      let path = RoutePath(elements: try elements(split(alternative[...])))
      if !paths.contains(path) { paths.append(path) }
      if paths.count > 1, paths.count * path.elements.count > Self.segmentLimit {
        throw Failure(.tooManyOptionalParts)
      }
    }
    return RoutePattern(source: line.text, paths: paths, items: try items(query))
  }

  private func elements(_ words: [ArraySlice<UInt8>]) throws(Failure) -> [RouteElement] {
    var elements: [RouteElement] = []
    for (index, word) in words.enumerated() {
      // A word in the middle that ends so may be missing.
      let isOptional = word.last == UInt8(ascii: "?") && word.count > 1 && !word.beginsParameter
      let text = isOptional ? word.dropLast() : word
      switch self.words.read(text, isLast: index == words.count - 1) {
      case .element(var element):
        if isOptional, element.repetition == .once { element.repetition = .optional }
        elements.append(element)
      case .nothing: continue
      case .unbalanced(let bracket): throw Failure(.unbalanced(String(UnicodeScalar(bracket))))
      }
    }
    return elements
  }
}

// MARK: - Hosts

extension RouteLineReader {
  /// The path of a URL, if its host is the one that is wanted.
  private func withoutHost(_ line: ArraySlice<UInt8>) throws(Failure) -> ArraySlice<UInt8> {
    guard let mark = line.schemeEnd else {
      // A host without a scheme is one only where it is known.
      let first = line.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
      guard let host = context.host, !first.isEmpty, first.text.lowercased() == host else {
        return line
      }
      return line[first.endIndex...]
    }
    let scheme = line[..<mark].text.lowercased()
    let webSchemes = ["http", "https", "http(s)", "http{s}", "https?", "(http|https)", "*", ""]
    let hasPlaceholder = "{<:".utf8.contains(line.first ?? 0)
    guard webSchemes.contains(scheme) || hasPlaceholder else {
      throw Failure(.customScheme(line[..<mark].text))
    }
    let rest = line[(mark + (scheme.isEmpty ? 2 : 3))...]
    let host = Array(rest.prefix(upToOutside: [UInt8(ascii: "/"), UInt8(ascii: "?")]))
    let path = rest.dropFirst(host.count)
    let pattern = RouteHost(host, reader: words)
    guard pattern.covers(context.host) else { throw Failure(.otherHost(host[...].text)) }
    // '<path:rest>' swallows the host and all that follows.
    return pattern.takesPath && path.isEmpty ? Array("/**".utf8)[...] : path
  }
}

// MARK: - Parts of a path

extension RouteLineReader {
  /// The path, and the query without its `?`.
  ///
  /// A `?` behind a parameter that a slash or nothing follows says that the parameter may
  /// be missing.
  func parts(
    _ text: ArraySlice<UInt8>
  ) -> (path: ArraySlice<UInt8>, query: ArraySlice<UInt8>) {
    var index = text.startIndex
    var wordStart = index
    while index < text.endIndex {
      let byte = text[index]
      if byte == UInt8(ascii: "/") { wordStart = index + 1 }
      if byte.closer != nil, let end = text[index...].closing(index) {
        index = end + 1
        continue
      }
      if byte == UInt8(ascii: "?") {
        let next = index + 1 < text.endIndex ? text[index + 1] : nil
        let isMark =
          switch next {
          case UInt8(ascii: "/"): true
          case nil, UInt8(ascii: "?"), UInt8(ascii: "("), UInt8(ascii: "."), UInt8(ascii: "-"):
            text[wordStart..<index].beginsParameter
          default: false
          }
        if !isMark { return (text[..<index], text[(index + 1)...]) }
      }
      index += 1
    }
    return (text, [])
  }

  /// The words between slashes that stand in no brackets.
  private func split(_ path: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var words: [ArraySlice<UInt8>] = []
    var (start, index) = (path.startIndex, path.startIndex)
    while index < path.endIndex {
      let byte = path[index]
      if byte == UInt8(ascii: "/") {
        if index > start { words.append(path[start..<index]) }
        start = index + 1
      } else if byte.closer != nil, let end = path.closing(index) {
        index = end
      }
      index += 1
    }
    if start < path.endIndex { words.append(path[start...]) }
    return words
  }

  /// A path without and with each of its parts that may be left out: `/a(/:b)`,
  /// `/a{/:b}`, `/a[/{b}]`, `/(:locale)/a`, `/a(.:format)`.
  private func expanded(_ path: ArraySlice<UInt8>) throws(Failure) -> [[UInt8]] {
    var finished: [[UInt8]] = []
    var open: [[UInt8]] = [Array(path)]
    while let next = open.popLast() {
      guard let (part, content) = next[...].optionalPart else {
        finished.append(next)
        continue
      }
      open.append(Array(next[..<part.lowerBound] + next[part.upperBound...]))
      open.append(Array(next[..<part.lowerBound] + content + next[part.upperBound...]))
      if open.count + finished.count > Self.alternativeLimit {
        throw Failure(.tooManyOptionalParts)
      }
    }
    return finished
  }

  /// The query items that a route needs; those whose names or values end in `?` may be
  /// missing.
  private func items(_ query: ArraySlice<UInt8>) throws(Failure) -> [RoutePattern.Item] {
    var items: [RoutePattern.Item] = []
    for item in query.split(separator: UInt8(ascii: "&")) {
      let name = item.prefix { $0 != UInt8(ascii: "=") }
      let value = item[name.endIndex...].dropFirst()
      if value.contains(UInt8(ascii: "#")) { throw Failure(.fragment) }
      let isOptional =
        name.last == UInt8(ascii: "?") || value.last == UInt8(ascii: "?")
        || value.hasSuffix("?}") || value.hasSuffix("?>") || value.hasSuffix("?]")
      if isOptional || name.isEmpty { continue }
      let isFree = value.isEmpty || value.elementsEqual("*".utf8) || value.beginsParameter
      items.append(
        RoutePattern.Item(
          name: RouteText.encoded(Array(name)),
          value: isFree ? nil : RouteText.encoded(Array(value))))
    }
    return items
  }
}

extension ArraySlice<UInt8> {
  /// A Boolean value indicating whether this can be a route, rather than a line of source
  /// code or of prose.
  fileprivate var looksLikeRoute: Bool {
    let isPath = first == UInt8(ascii: "/") || first == UInt8(ascii: "?")
    if isPath { return !hasPrefix("// ") && !hasPrefix("/* ") && !hasPrefix("/** ") }
    return !contains { " \t;\"'`".utf8.contains($0) }
      && contains { $0.isOfName || $0 == UInt8(ascii: "*") }
  }

  /// A Boolean value indicating whether a parameter stands at the start.
  fileprivate var beginsParameter: Bool {
    guard let first, count > 1 else { return false }
    return ":{[<(*".utf8.contains(first)
  }

  /// The position of the colon of `scheme://`, or of the first slash of `//host`.
  fileprivate var schemeEnd: Int? {
    if hasPrefix("//") { return startIndex }
    var index = startIndex
    while index < endIndex, self[index] != UInt8(ascii: "/") {
      if self[index] == UInt8(ascii: ":"), self[index...].hasPrefix("://") { return index }
      if self[index].closer != nil, let end = closing(index) { index = end }
      index += 1
    }
    return nil
  }

  /// What stands in front of the first of these bytes that is in no brackets.
  fileprivate func prefix(upToOutside stops: [UInt8]) -> ArraySlice<UInt8> {
    var index = startIndex
    while index < endIndex, !stops.contains(self[index]) {
      if self[index].closer != nil, let end = closing(index) { index = end }
      index += 1
    }
    return self[..<index]
  }

  /// The first part that may be left out, and what it holds.
  fileprivate var optionalPart: (part: Range<Int>, content: ArraySlice<UInt8>)? {
    for index in indices where self[index].closer != nil && self[index] != UInt8(ascii: "<") {
      let behind = self[(index + 1)...]
      let isParenthesis = self[index] == UInt8(ascii: "(")
      guard
        behind.hasPrefix("/")
          || (isParenthesis && (behind.hasPrefix(":") || behind.hasPrefix(".:"))),
        let end = closing(index)
      else { continue }
      return (index..<(end + 1), self[(index + 1)..<end])
    }
    return nil
  }

  /// The line without the quotes and the comma that stand around it in source code.
  var withoutQuotes: ArraySlice<UInt8> {
    var line = self
    if line.last == UInt8(ascii: ",") || line.last == UInt8(ascii: ";") { line.removeLast() }
    guard line.count > 2, let first = line.first, first == line.last, "\"'`".utf8.contains(first)
    else { return self }
    return line.dropFirst().dropLast()
  }
}
