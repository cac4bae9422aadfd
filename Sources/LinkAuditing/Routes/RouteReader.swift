internal import Foundations

/// Reads the lines of a list of routes.
struct RouteReader {
  typealias Reason = RouteTable.Omission.Reason

  private let syntax: RouteSyntax

  /// The host whose routes are read, in lower case, or `nil` for all hosts.
  private let host: String?

  /// The bytes that begin a parameter.
  let marks: [UInt8]

  /// Whether `*` also means one segment at the end of a route, because the list writes `**` for any
  /// number of segments.
  let starIsOne: Bool

  /// The number of bytes before each file that lead to the directory of routes.
  private var directoryLength = 0

  /// Whether routes are the files called `page` and `route`, as below `app` of Next.js.
  private var hasPageFiles = false

  /// The greatest length of a line: finding brackets takes quadratic time.
  static let lengthLimit = 2_048

  /// The greatest number of ways to leave parts out: six independent parts.
  private static let alternativeLimit = 64

  /// The greatest number of segments in all of these ways.
  private static let segmentLimit = 2_048

  init(syntax: RouteSyntax, host: String?, lines: [ArraySlice<UInt8>]) {
    (self.syntax, self.host, marks) = (syntax, host?.lowercased(), syntax.marks)
    let slash = UInt8(ascii: "/")
    starIsOne =
      !syntax.isOfFiles
      && lines.contains { $0.split(separator: slash).contains { $0.elementsEqual("**".utf8) } }
    guard syntax.isOfFiles else { return }
    let directory = Self.directory(of: lines)
    directoryLength = directory.length
    hasPageFiles =
      syntax == .nextJS && directory.name != "pages"
      && lines.contains {
        $0.count <= Self.lengthLimit && ["page", "route"].contains($0.fileBaseName)
      }
  }

  func read(_ line: ArraySlice<UInt8>) throws(Reason) -> RoutePattern {
    if line.count > Self.lengthLimit { throw .tooLong }
    let line = line.withoutQuotes
    if syntax.isOfFiles {
      let path = try elements(try words(ofFile: line.dropFirst(directoryLength)))
      return RoutePattern(source: line.text, paths: [path])
    }
    guard line.looksLikeRoute else { throw .noRoute }
    let (path, query) = Self.parts(of: try withoutHost(line))
    if path.contains(UInt8(ascii: "#")) { throw .fragment }
    var paths: [[RouteElement]] = []
    for alternative in try alternatives(of: path) {
      let words = alternative[...].splitOutsideBrackets(at: UInt8(ascii: "/"))
      let path = try elements(words.filter { !$0.isEmpty })
      if !paths.contains(path) { paths.append(path) }
      if paths.count > 1, paths.count * path.count > Self.segmentLimit {
        throw .tooManyOptionalParts
      }
    }
    return RoutePattern(source: line.text, paths: paths, items: try items(query))
  }

  private func elements(_ words: [ArraySlice<UInt8>]) throws(Reason) -> [RouteElement] {
    var elements: [RouteElement] = []
    for (index, word) in words.enumerated() {
      // A text in the middle of a path that ends so is optional.
      let isOptional = word.last == UInt8(ascii: "?") && word.count > 1 && !word.beginsParameter
      let text = isOptional ? word.dropLast() : word
      guard var element = try element(text, isLast: index == words.count - 1) else { continue }
      if isOptional, !element.allowsMany { element.allowsNone = true }
      elements.append(element)
    }
    return elements
  }
}

// MARK: - Hosts

extension RouteReader {
  /// Returns the path of a URL, if its routes are read.
  private func withoutHost(_ line: ArraySlice<UInt8>) throws(Reason) -> ArraySlice<UInt8> {
    guard let mark = line.schemeEnd else {
      // Without a scheme, only the site's own name is a host.
      let first = line.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
      guard let host, !first.isEmpty, first.text.lowercased() == host else { return line }
      return line[first.endIndex...]
    }
    let scheme = line[..<mark].text.lowercased()
    let webSchemes = ["http", "https", "http(s)", "http{s}", "https?", "(http|https)", "*", ""]
    let hasPlaceholder = "{<:".utf8.contains(line.first ?? 0)
    guard webSchemes.contains(scheme) || hasPlaceholder else {
      throw .customScheme(line[..<mark].text)
    }
    let rest = line[(mark + (scheme.isEmpty ? 2 : 3))...]
    let end = rest.firstIndexOutsideBrackets { "/?".utf8.contains(rest[$0]) }
    let own = rest[..<(end ?? rest.endIndex)]
    guard covers(own) else { throw .otherHost(own.text) }
    let path = rest[own.endIndex...]
    // '<path:rest>' is the host and all that follows.
    let element = try? element(own, isLast: false)
    return path.isEmpty && element?.allowsMany == true ? Array("/**".utf8)[...] : path
  }

  /// Returns whether the routes of a URL's host, which can contain parameters, are read.
  private func covers(_ text: ArraySlice<UInt8>) -> Bool {
    guard let host else { return true }
    let site = HostScope(host)
    var own = text.map(\.asciiLowercased)[...]
    // A user or a port does not belong to the host.
    if let at = own.lastIndex(of: UInt8(ascii: "@")) { own = own[(at + 1)...] }
    if let colon = own.lastIndex(of: UInt8(ascii: ":")), colon > own.startIndex,
      own[(colon + 1)...].allSatisfy(\.isDigit)
    {
      own = own[..<colon]
    }
    let scope = HostScope(own.text)
    if scope.isWildcard {
      let isWithin = scope.name == site.name || site.contains(scope.name.utf8)
      return scope.contains(site.name.utf8) || site.isWildcard && isWithin
    }
    let element = own.isEmpty ? nil : (try? element(own, isLast: false))
    switch element?.matcher ?? .literal(Array(own)) {
    case .literal(let text): return site.contains(text)
    // Some host below the domain can match.
    case let matcher: return site.isWildcard || matcher.matches(Array(site.name.utf8).span)
    }
  }
}

// MARK: - Parts of a path

extension RouteReader {
  /// Returns the path, and the query without its `?`.
  ///
  /// A `?` after a parameter makes it optional if a slash or the end follows.
  static func parts(
    of text: ArraySlice<UInt8>
  ) -> (path: ArraySlice<UInt8>, query: ArraySlice<UInt8>) {
    var wordStart = text.startIndex
    let mark = text.firstIndexOutsideBrackets { index in
      if text[index] == UInt8(ascii: "/") { wordStart = index + 1 }
      guard text[index] == UInt8(ascii: "?") else { return false }
      let next = index + 1 < text.endIndex ? text[index + 1] : nil
      let isOptional =
        next.map { "?(.-".utf8.contains($0) } ?? true && text[wordStart..<index].beginsParameter
      return next != UInt8(ascii: "/") && !isOptional
    }
    return mark.map { (text[..<$0], text[($0 + 1)...]) } ?? (text, [])
  }

  /// A path with and without each of its optional parts: `/a(/:b)`, `/a{/:b}`, `/a[/{b}]`,
  /// `/(:locale)/a`, `/a(.:format)`.
  private func alternatives(of path: ArraySlice<UInt8>) throws(Reason) -> [[UInt8]] {
    var finished: [[UInt8]] = []
    var open: [[UInt8]] = [Array(path)]
    while let next = open.popLast() {
      guard let part = next[...].optionalPart else {
        finished.append(next)
        continue
      }
      let (start, end) = (next[..<part.lowerBound], next[(part.upperBound + 1)...])
      open.append(Array(start + end))
      open.append(Array(start + next[part].dropFirst() + end))
      if open.count + finished.count > Self.alternativeLimit { throw .tooManyOptionalParts }
    }
    return finished
  }

  /// The query items that a route needs; those with a name or value that ends in `?` are
  /// optional.
  private func items(_ query: ArraySlice<UInt8>) throws(Reason) -> [RoutePattern.Item] {
    var items: [RoutePattern.Item] = []
    for item in query.split(separator: UInt8(ascii: "&")) {
      let name = item.prefix { $0 != UInt8(ascii: "=") }
      let value = item[name.endIndex...].dropFirst()
      if value.contains(UInt8(ascii: "#")) { throw .fragment }
      let isOptional =
        name.last == UInt8(ascii: "?")
        || ["?", "?}", "?>", "?]"].contains { value.hasSuffix($0) }
      if isOptional || name.isEmpty { continue }
      let isFree = value.isEmpty || value.elementsEqual("*".utf8) || value.beginsParameter
      items.append(
        RoutePattern.Item(
          name: Array(name).urlEncoded, value: isFree ? nil : Array(value).urlEncoded))
    }
    return items
  }
}

// MARK: - Files of a router

extension RouteReader {
  /// Extensions that precede those of source files.
  private static let platforms = ["ios", "android", "native", "web"]
  private static let otherKinds = ["d", "test", "spec", "stories"]

  /// Names of files that Next.js reads for itself.
  private static let nextJSFiles = [
    "_app", "_document", "_error", "404", "500", "middleware", "proxy", "instrumentation",
  ]

  /// The directory of routes, if all files are below one called `app` or `pages`, and its length
  /// as a prefix of them.
  private static func directory(of lines: [ArraySlice<UInt8>]) -> (length: Int, name: String) {
    let paths = lines.map {
      $0.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropLast()
    }
    let common = paths.reduce(paths.first ?? []) { common, path in
      common.prefix(zip(common, path).prefix { $0 == $1 }.count)
    }
    func isName(_ component: ArraySlice<UInt8>) -> Bool {
      ["app", "pages"].contains(component.text)
    }
    let end = common.firstIndex(where: isName)
    // Both may be side by side below 'src'.
    let isShared = paths.allSatisfy { $0.dropFirst(common.count).first.map(isName) ?? false }
    let directory = end.map { common[...$0] } ?? (isShared ? common : [])
    return (directory.reduce(0) { $0 + $1.count + 1 }, end.map { common[$0].text } ?? "")
  }

  /// The words of the route of a file, of which the first may be a group that is in no path.
  private func words(ofFile path: ArraySlice<UInt8>) throws(Reason) -> [ArraySlice<UInt8>] {
    var (directories, parts) = path.fileParts
    guard parts.isOfSourceFile else { throw .noSourceFile }
    parts.removeLast()
    if parts.count > 1, let kind = parts.last {
      if Self.otherKinds.contains(kind) { throw .noScreen }
      if Self.platforms.contains(kind) { parts.removeLast() }
    }
    let name = parts.joined(separator: ".")
    let (top, isNextJS) = (directories.first?.text, syntax == .nextJS)
    let isPageFile = name == "page" || name == "route"
    let isBelowApp = hasPageFiles && top != "pages"
    if hasPageFiles, top == "pages" || top == "app" { directories.removeFirst() }
    if isBelowApp && !isPageFile || isNextJS && Self.nextJSFiles.contains(name)
      || name.hasPrefix("_") || name.hasPrefix("+") || name.hasSuffix("+api")
    {
      throw .noScreen
    }
    var words: [ArraySlice<UInt8>] = []
    for directory in directories {
      switch directory.first {
      // A slot of Next.js is in no path.
      case UInt8(ascii: "@") where isNextJS: continue
      case UInt8(ascii: "_") where isNextJS: throw .noScreen
      // '(.)photo' shows another route in place of its own.
      case UInt8(ascii: "(") where directory.hasPrefix("(."): throw .noScreen
      default: words.append(directory)
      }
    }
    return name == "index" || isBelowApp && isPageFile ? words : words + [Array(name.utf8)[...]]
  }
}

extension ArraySlice<UInt8> {
  /// The directories of a path, and its last component, cut at its full stops, those in brackets
  /// apart.
  fileprivate var fileParts: (directories: [ArraySlice<UInt8>], name: [String]) {
    var directories = (hasPrefix("./") ? dropFirst(2) : self).split(separator: UInt8(ascii: "/"))
    let name = directories.popLast()
    return (directories, name?.splitOutsideBrackets(at: UInt8(ascii: ".")).map(\.text) ?? [])
  }

  /// A Boolean value indicating whether this looks like a source file.
  var isSourceFile: Bool { fileParts.name.isOfSourceFile }

  /// The name of a file up to its first full stop.
  var fileBaseName: String { fileParts.name.first ?? "" }

  /// A Boolean value indicating whether this can be a route, rather than a line of source
  /// code or of prose.
  fileprivate var looksLikeRoute: Bool {
    if first == UInt8(ascii: "/") || first == UInt8(ascii: "?") {
      return !["// ", "/* ", "/** "].contains { hasPrefix($0) }
    }
    return !contains { " \t;\"'`".utf8.contains($0) }
      && contains { $0.isOfName || $0 == UInt8(ascii: "*") }
  }

  /// A Boolean value indicating whether a parameter begins here.
  fileprivate var beginsParameter: Bool {
    count > 1 && first.map(":{[<(*".utf8.contains) ?? false
  }

  /// The position of the colon of `scheme://`, or of the first slash of `//host`.
  var schemeEnd: Int? {
    if hasPrefix("//") { return startIndex }
    let end = firstIndexOutsideBrackets {
      self[$0] == UInt8(ascii: "/") || self[$0...].hasPrefix("://")
    }
    return end.flatMap { self[$0] == UInt8(ascii: "/") ? nil : $0 }
  }

  /// The first optional part, from its opening bracket up to the closing one.
  fileprivate var optionalPart: Range<Int>? {
    for index in indices where self[index].closer != nil && self[index] != UInt8(ascii: "<") {
      let rest = self[(index + 1)...]
      let isPart =
        rest.hasPrefix("/")
        || self[index] == UInt8(ascii: "(") && (rest.hasPrefix(":") || rest.hasPrefix(".:"))
      if isPart, let end = closing(index) { return index..<end }
    }
    return nil
  }

  /// The line without the quotes and the comma around it in source code.
  var withoutQuotes: ArraySlice<UInt8> {
    var line = self
    if line.last == UInt8(ascii: ",") || line.last == UInt8(ascii: ";") { line.removeLast() }
    guard line.count > 2, let first = line.first, first == line.last, "\"'`".utf8.contains(first)
    else { return self }
    return line.dropFirst().dropLast()
  }
}

extension [String] {
  /// Whether these parts of a file's name end in the extension of a source file.
  fileprivate var isOfSourceFile: Bool {
    count > 1 && ["tsx", "ts", "jsx", "js", "mjs", "cjs"].contains(last)
  }
}

extension RouteReader {
  /// Reads a word of a route: the text between two slashes.
  ///
  /// It returns `nil` for one that is in no path, such as `(tabs)` of a file-based router.
  ///
  /// It throws if a bracket is never closed. No URL can hold a bracket, so this is a mistake, whatever
  /// the marks are.
  func element(_ word: ArraySlice<UInt8>, isLast: Bool) throws(Reason) -> RouteElement? {
    if let element = starElement(word, isLast: isLast) { return element }
    var (texts, elements): ([[UInt8]], [RouteElement]) = ([[]], [])
    var index = word.startIndex
    while index < word.endIndex {
      let byte = word[index]
      var found: RouteElement?
      if let (element, end) = colonElement(word, at: index) {
        (found, index) = (element, end)
      } else if byte.closer != nil {
        guard let end = word.closing(index) else {
          throw .unbalanced(String(UnicodeScalar(byte)))
        }
        if byte == UInt8(ascii: "(") || marks.contains(byte) {
          let (start, content) = (index, word[(index + 1)..<end])
          index = end + 1
          if byte == UInt8(ascii: "("), content.isGroupName {
            if marks == [UInt8(ascii: ":")] {
              // It is a router with regular expressions, and a simple one.
              texts[texts.count - 1] += content
            } else if content.count + 2 < word.count {
              // Part of a title, such as 'Mercury_(planet)'.
              texts[texts.count - 1] += word[start..<index]
            }
            continue
          }
          let isExpression = byte == UInt8(ascii: "(")
          guard
            var element = isExpression
              ? RouteElement(expression: content) : parameter(content.trimmed, byte)
          else { continue }
          // A repetition, as in '(\d+)?' and '{id}*'.
          if index + 1 == word.endIndex, element.repeats(word[index]) { index += 1 }
          found = element
        }
      } else if byte == UInt8(ascii: "*") {
        (found, index) = (RouteElement(), index + 1)
      }
      if let found {
        elements.append(found)
        texts.append([])
      } else {
        if byte == UInt8(ascii: "\\"), index + 1 < word.endIndex { index += 1 }
        texts[texts.count - 1].append(word[index])
        index += 1
      }
    }
    return Self.joined(elements, texts)
  }

  /// The element of a word with parameters, and with texts before, between and after them.
  private static func joined(_ elements: [RouteElement], _ texts: [[UInt8]]) -> RouteElement? {
    guard let first = elements.first else { return texts[0].isEmpty ? nil : .literal(texts[0]) }
    if elements.count == 1, texts.allSatisfy(\.isEmpty) { return first }
    // Text next to an optional or repeated part says little; anything matches.
    if elements.contains(where: \.allowsMany) { return RouteElement(allowsMany: true) }
    if elements.contains(where: \.allowsNone) { return RouteElement() }
    let bytes = Array(texts.map(\.urlEncoded).joined(separator: [Glob.gap]))
    return RouteElement(matcher: .glob(Glob(bytes: bytes, leastGap: 1)))
  }

  /// `*`, `**`, `*rest`.
  private func starElement(_ word: ArraySlice<UInt8>, isLast: Bool) -> RouteElement? {
    guard word.first == UInt8(ascii: "*") else { return nil }
    var name = word.dropFirst()
    if name.isEmpty { return isLast && !starIsOne ? .rest : RouteElement() }
    if name.first == UInt8(ascii: "*") { name = name.dropFirst() }
    if name.last == UInt8(ascii: "?") { name = name.dropLast() }
    return name.allSatisfy { $0.isOfName || $0 == UInt8(ascii: "-") } ? .rest : nil
  }

  /// Reads `:id`, `:id?`, `:rest*` or `:rest+`, with an optional expression in parentheses after
  /// the name.
  ///
  /// In the middle of a word, as in `@:user`, no letter or digit precedes it: a title such as
  /// `Special:Search` is a text.
  private func colonElement(
    _ word: ArraySlice<UInt8>, at colon: Int
  ) -> (element: RouteElement, end: Int)? {
    guard word[colon] == UInt8(ascii: ":"), marks.contains(word[colon]) else { return nil }
    let isFirst = colon == word.startIndex
    if !isFirst, word[colon - 1].isOfName || ")]}>".utf8.contains(word[colon - 1]) { return nil }
    var end = colon + 1
    while end < word.endIndex, word[end].isOfName { end += 1 }
    if isFirst {
      // A name has a hyphen only if the name is all that the segment holds.
      let far = end + word[end...].prefix { $0.isOfName || $0 == UInt8(ascii: "-") }.count
      let rest = word[far...]
      let isRepetition = rest.count == 1 && "?*+".utf8.contains(rest[far])
      if rest.isEmpty || rest.first == UInt8(ascii: "(") || isRepetition { end = far }
    }
    guard end > colon + 1 else { return nil }
    var element = RouteElement()
    if end < word.endIndex, word[end] == UInt8(ascii: "("), let closing = word.closing(end) {
      element = RouteElement(expression: word[(end + 1)..<closing])
      end = closing + 1
    }
    if end < word.endIndex, element.repeats(word[end]) { end += 1 }
    return (element, end)
  }

  /// A parameter in brackets: `{id}`, `[[id]]`, `<id?>`, `{id=5}`; `{path...}`, `{*path}`,
  /// `{path+}`, `[...rest]`, `<rest..>`; `{id:int}`, `<int:id>`, `{id:[0-9]+}`.
  ///
  /// - Returns: The element, or `nil` for text that is not part of a path: `{$}` of Go, `{?q}` of
  ///   URI templates.
  private func parameter(_ content: ArraySlice<UInt8>, _ open: UInt8) -> RouteElement? {
    let isBrace = open == UInt8(ascii: "{")
    if isBrace, content.elementsEqual("$".utf8) || "?&#".utf8.contains(content.first ?? 0) {
      return nil
    }
    var (name, element) = (content, RouteElement())
    if open == UInt8(ascii: "["), name.first == open, name.last == open.closer {
      (name, element.allowsNone) = (name.dropFirst().dropLast(), true)
    }
    // A default value replaces a missing one.
    let hasDefault = name.last == UInt8(ascii: "?") || name.contains(UInt8(ascii: "="))
    if let colon = name.firstIndex(of: UInt8(ascii: ":")), open != UInt8(ascii: "[") {
      let constraint = name[(colon + 1)...]
      if let type = RouteElement(typeName: isBrace ? constraint : name[..<colon]) {
        element = type
        // FastAPI's 'path' may be empty.
        if isBrace, type.allowsMany || hasDefault { element.allowsNone = true }
      } else {
        element = RouteElement(expression: constraint)
      }
      if isBrace, name.first == UInt8(ascii: "*") { element.repeats(UInt8(ascii: "*")) }
    } else if name.first == UInt8(ascii: "*") || name.last == UInt8(ascii: "*")
      || name.hasSuffix("..")
    {
      element.repeats(UInt8(ascii: "*"))
    } else if name.hasPrefix("...") || name.last == UInt8(ascii: "+") {
      element.allowsMany = true
    } else if hasDefault {
      element.allowsNone = true
    }
    return element
  }
}

// MARK: - Constraints

/// The constraint after a parameter's name: a type such as `int`, or a regular expression such as
/// `\d+`.
///
/// Only some constraints are checked: digits, numbers, UUIDs, and lists of words. Any other
/// constraint matches everything, so that no route of the app seems to be missing.
extension RouteElement {
  /// A parameter of a type, or `nil` if no router known here has the type.
  fileprivate init?(typeName: ArraySlice<UInt8>) {
    self.init()
    // Parentheses or another colon narrow the type further.
    let name = typeName.prefix { $0.isOfName || $0 == UInt8(ascii: "*") }
    switch name.text.lowercased() {
    case "int", "integer", "long", "digits", "nat", "int32", "int64", "uint": matcher = .digits
    case "float", "double", "decimal", "number": matcher = .number
    case "uuid", "guid": matcher = .uuid
    case "path": allowsMany = true
    case "*": repeats(UInt8(ascii: "*"))
    case "string", "str", "slug", "alpha", "any", "bool", "datetime", "required", "minlength",
      "maxlength", "length", "min", "max", "range":
      break
    default: return nil
    }
  }

  /// A parameter with a regular expression.
  fileprivate init(expression: ArraySlice<UInt8>) {
    self.init()
    var text = expression.trimmed
    if text.first == UInt8(ascii: "^") { text.removeFirst() }
    if text.last == UInt8(ascii: "$") { text.removeLast() }
    // JavaScript and Java sources write two backslashes for one.
    let backslash = UInt8(ascii: "\\")
    let pattern = Array(text).enumerated().filter { index, byte in
      byte != backslash || index == 0 || text[text.startIndex + index - 1] != backslash
    }.map(\.element)[...]
    let words = pattern.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
    let areWords = words.allSatisfy { word in
      !word.isEmpty && word.allSatisfy { $0.isOfName || $0 == UInt8(ascii: "-") }
    }
    if Self.isOfDigits(pattern) {
      matcher = .digits
    } else if words.count > 1, areWords {
      // A single word may as well be the name of an unknown type.
      matcher = .words(words.map { Array($0).urlEncoded })
    } else if pattern.elementsEqual(".*".utf8) {
      repeats(UInt8(ascii: "*"))
    } else {
      allowsMany = Self.mayTakeSlash(pattern)
    }
  }

  /// Whether an expression matches digits only: `\d` and sets such as `[0-9]`, each with an
  /// optional repetition.
  private static func isOfDigits(_ pattern: ArraySlice<UInt8>) -> Bool {
    var rest = pattern
    while let first = rest.first {
      if rest.hasPrefix("\\d") {
        rest = rest.dropFirst(2)
      } else if first == UInt8(ascii: "["), let end = rest.firstIndex(of: UInt8(ascii: "]")) {
        let members = rest[(rest.startIndex + 1)..<end]
        // A hyphen at an end is no range.
        guard members.first?.isDigit == true, members.last?.isDigit == true,
          members.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: "-") })
        else { return false }
        rest = rest[(end + 1)...]
      } else {
        return false
      }
      if rest.first == UInt8(ascii: "{"), let end = rest.firstIndex(of: UInt8(ascii: "}")) {
        rest = rest[(end + 1)...]
      } else if let mark = rest.first, "+*?".utf8.contains(mark) {
        rest = rest.dropFirst()
      }
    }
    return !pattern.isEmpty
  }

  /// Whether an expression can match a slash.
  private static func mayTakeSlash(_ pattern: ArraySlice<UInt8>) -> Bool {
    var rest = pattern
    // Sets without a slash, and a full stop.
    let others: [StaticString] = ["[^/]", "[^\\/]", "\\."]
    while let first = rest.first {
      let other = others.first { rest.hasPrefix($0) }
      if other == nil, "/.^SDW".utf8.contains(first) { return true }
      rest = rest.dropFirst(other?.utf8CodeUnitCount ?? 1)
    }
    return false
  }

  /// Repeats the element if a byte is `?`, `*` or `+`, and returns whether it is.
  @discardableResult
  fileprivate mutating func repeats(_ mark: UInt8) -> Bool {
    guard "?*+".utf8.contains(mark) else { return false }
    if mark != UInt8(ascii: "+") { allowsNone = true }
    if mark != UInt8(ascii: "?") { allowsMany = true }
    return true
  }
}

extension ArraySlice<UInt8> {
  /// A Boolean value indicating whether this is the name of a group of files, or several
  /// of them, rather than a regular expression.
  fileprivate var isGroupName: Bool {
    !isEmpty
      && allSatisfy { $0.isOfName || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ",") }
  }
}
