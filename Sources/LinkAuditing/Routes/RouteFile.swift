/// A file of a router that makes routes of files.
struct RouteFile {
  private let path: ArraySlice<UInt8>
  private let isNextJS: Bool

  /// The extensions of files in which routes are written.
  private static let sourceExtensions = ["tsx", "ts", "jsx", "js", "mjs", "cjs"]

  /// Extensions that stand in front of those.
  private static let platforms = ["ios", "android", "native", "web"]
  private static let otherKinds = ["d", "test", "spec", "stories"]

  /// What Next.js reads beside `page` and `route`.
  private static let nextJSFiles = [
    "_app", "_document", "_error", "404", "500", "middleware", "proxy", "instrumentation",
  ]

  /// Creates a file.
  ///
  /// - Parameters:
  ///   - path: Its path below the directory of routes.
  ///   - isNextJS: Whether the router is that of Next.js, not Expo Router.
  init(_ path: ArraySlice<UInt8>, isNextJS: Bool) {
    self.path = path.hasPrefix("./") ? path.dropFirst(2) : path
    self.isNextJS = isNextJS
  }

  /// A Boolean value indicating whether a line looks like a source file.
  static func isSourceFile(_ line: ArraySlice<UInt8>) -> Bool {
    let name = RouteFile(line, isNextJS: false).nameParts
    return name.parts.count > 1 && sourceExtensions.contains(name.parts.last ?? "")
  }

  /// The last component, cut at its full stops, those in brackets apart.
  private var nameParts: (directories: [ArraySlice<UInt8>], parts: [String]) {
    var directories = path.split(separator: UInt8(ascii: "/"))
    guard let name = directories.popLast() else { return ([], []) }
    var parts: [ArraySlice<UInt8>] = []
    var (start, index) = (name.startIndex, name.startIndex)
    while index < name.endIndex {
      if name[index] == UInt8(ascii: ".") {
        parts.append(name[start..<index])
        start = index + 1
      } else if name[index].closer != nil, let end = name.closing(index) {
        index = end
      }
      index += 1
    }
    parts.append(name[start...])
    return (directories, parts.map(\.text))
  }

  /// The name without its extension.
  static func baseName(_ line: ArraySlice<UInt8>) -> String {
    RouteFile(line, isNextJS: false).nameParts.parts.first ?? ""
  }

  /// The words of the route.
  ///
  /// - Parameter hasPageFiles: Whether routes are the files called `page` and `route`, as
  ///   below `app` of Next.js.
  /// - Returns: The words, of which the first may be a group that stands in no path.
  /// - Throws: Why the file is no route.
  func words(
    hasPageFiles: Bool
  ) throws(RouteLineReader.Failure) -> [ArraySlice<UInt8>] {
    var (directories, parts) = nameParts
    guard parts.count > 1, Self.sourceExtensions.contains(parts.removeLast()) else {
      throw RouteLineReader.Failure(.noSourceFile)
    }
    if parts.count > 1, let kind = parts.last {
      if Self.otherKinds.contains(kind) { throw RouteLineReader.Failure(.noScreen) }
      if Self.platforms.contains(kind) { parts.removeLast() }
    }
    let name = parts.joined(separator: ".")
    let isBelowPages = directories.first?.elementsEqual("pages".utf8) ?? false
    let isPageFile = name == "page" || name == "route"
    if isBelowPages || directories.first?.elementsEqual("app".utf8) ?? false, hasPageFiles {
      directories.removeFirst()
    }
    if isNextJS {
      if hasPageFiles, !isBelowPages, !isPageFile { throw RouteLineReader.Failure(.noScreen) }
      if Self.nextJSFiles.contains(name) { throw RouteLineReader.Failure(.noScreen) }
    }
    if name.hasPrefix("_") || name.hasPrefix("+") || name.hasSuffix("+api") {
      throw RouteLineReader.Failure(.noScreen)
    }
    var words: [ArraySlice<UInt8>] = []
    for directory in directories {
      switch directory.first {
      // A slot of Next.js stands in no path.
      case UInt8(ascii: "@") where isNextJS: continue
      case UInt8(ascii: "_") where isNextJS: throw RouteLineReader.Failure(.noScreen)
      // '(.)photo' shows another route in place of its own.
      case UInt8(ascii: "(") where directory.hasPrefix("(."):
        throw RouteLineReader.Failure(.noScreen)
      default: words.append(directory)
      }
    }
    if !(name == "index" || (hasPageFiles && isPageFile && !isBelowPages)) {
      words.append(Array(name.utf8)[...])
    }
    return words
  }
}
