/// A file of a router that derives routes from files.
struct RouteFile {
  private let path: ArraySlice<UInt8>
  private let isNextJS: Bool
  private static let sourceExtensions = ["tsx", "ts", "jsx", "js", "mjs", "cjs"]

  /// Extensions that precede those.
  private static let platforms = ["ios", "android", "native", "web"]
  private static let otherKinds = ["d", "test", "spec", "stories"]

  /// Names of files that Next.js reads for itself.
  private static let nextJSFiles = [
    "_app", "_document", "_error", "404", "500", "middleware", "proxy", "instrumentation",
  ]

  /// Creates a file from its path below the directory of routes of Next.js or Expo Router.
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
    return (directories, name.splitOutsideBrackets(at: UInt8(ascii: ".")).map(\.text))
  }

  static func baseName(_ line: ArraySlice<UInt8>) -> String {
    RouteFile(line, isNextJS: false).nameParts.parts.first ?? ""
  }

  /// The directory of routes, if all files are below one called `app` or `pages`, and its length
  /// as a prefix of them.
  static func directory(of lines: [ArraySlice<UInt8>]) -> (length: Int, name: String) {
    let slash = UInt8(ascii: "/")
    guard let first = lines.first else { return (0, "") }
    var common = first.lastIndex(of: slash).map { first[...$0] } ?? []
    for line in lines {
      while !line.starts(with: common), !common.isEmpty {
        common = common.dropLast().lastIndex(of: slash).map { common[...$0] } ?? []
      }
    }
    var length = 0
    for component in common.split(separator: slash, omittingEmptySubsequences: false).dropLast() {
      length += component.count + 1
      if ["app", "pages"].contains(component.text) { return (length, component.text) }
    }
    // Both may be side by side below 'src'.
    let isShared = lines.allSatisfy { line in
      let rest = line.dropFirst(common.count)
      return rest.hasPrefix("app/") || rest.hasPrefix("pages/")
    }
    return isShared ? (common.count, "") : (0, "")
  }

  /// The words of the route, of which the first may be a group that is in no path.
  ///
  /// `hasPageFiles` says that only files called `page` and `route` are routes, as below `app` of
  /// Next.js.
  func words(hasPageFiles: Bool) throws(RouteTable.Omission.Reason) -> [ArraySlice<UInt8>] {
    var (directories, parts) = nameParts
    guard parts.count > 1, Self.sourceExtensions.contains(parts.removeLast()) else {
      throw .noSourceFile
    }
    if parts.count > 1, let kind = parts.last {
      if Self.otherKinds.contains(kind) { throw .noScreen }
      if Self.platforms.contains(kind) { parts.removeLast() }
    }
    let name = parts.joined(separator: ".")
    let isBelowPages = directories.first?.elementsEqual("pages".utf8) ?? false
    let isPageFile = name == "page" || name == "route"
    if isBelowPages || directories.first?.elementsEqual("app".utf8) ?? false, hasPageFiles {
      directories.removeFirst()
    }
    if isNextJS {
      if hasPageFiles, !isBelowPages, !isPageFile { throw .noScreen }
      if Self.nextJSFiles.contains(name) { throw .noScreen }
    }
    if name.hasPrefix("_") || name.hasPrefix("+") || name.hasSuffix("+api") {
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
    if !(name == "index" || (hasPageFiles && isPageFile && !isBelowPages)) {
      words.append(Array(name.utf8)[...])
    }
    return words
  }
}
