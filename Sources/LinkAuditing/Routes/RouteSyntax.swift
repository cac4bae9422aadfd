/// The notation of a list of routes.
///
/// The same text means different things to different routers. `(tabs)/index.tsx` is a file of Expo
/// Router, whose route is `/`, and a path with two words anywhere else. So a whole file has one
/// syntax, which ``detect(in:)`` detects or its author names.
public enum RouteSyntax: String, CaseIterable, Hashable, Sendable {
  /// Each segment has its own marks: `:id`, `{id}`, `[id]`, `<id>`, `*`.
  case mixed

  /// `/buy/:id`, as in React Navigation, go_router, Vue Router and JLRoutes.
  case colon

  /// `/buy/{id}`, as in DeepLinkDispatch, Ktor and Spring.
  case braces

  /// `/buy/[id]`, as file-based routers print their routes.
  case brackets

  /// `/buy/<int:id>`, as in URLNavigator, Flask and Django.
  case angles

  /// `buy/[id].tsx`: the files below `app` of Expo Router.
  case expoRouter = "expo-router"

  /// `buy/[id]/page.tsx`: the files below `app` or `pages` of Next.js.
  case nextJS = "nextjs"

  /// The name, as options and reports have it.
  public var name: String { rawValue }

  /// A Boolean value indicating whether lines are paths of files.
  ///
  /// Routers with such files take the most specific route of a path, wherever it is, not the first.
  var isOfFiles: Bool { self == .expoRouter || self == .nextJS }

  /// The bytes that begin a parameter.
  var marks: [UInt8] {
    switch self {
    case .mixed: Array(":{[<".utf8)
    case .colon: [UInt8(ascii: ":")]
    case .braces: [UInt8(ascii: "{")]
    case .brackets, .expoRouter, .nextJS: [UInt8(ascii: "[")]
    case .angles: [UInt8(ascii: "<")]
    }
  }
}

extension RouteSyntax {
  /// Detects the syntax of a list of routes from all of its lines.
  ///
  /// 1. At least half of the lines end like source files: the files of a router. A file called
  ///    `_layout`, or one that begins with `+`, belongs to Expo Router. One called `page`, `route`,
  ///    `layout` or `_app` belongs to Next.js. Without any of them the syntax is Expo Router's,
  ///    because both mean the same then.
  /// 2. The paths have the marks of one kind of parameter: that kind; other marks are text.
  /// 3. The paths have no marks, or several kinds: ``mixed``, in which each segment is read by its
  ///    own marks. This is how lists of several teams in one file are read.
  ///
  /// The order of the lines doesn't matter.
  ///
  /// - Parameter lines: The lines with some text, without comments.
  /// - Returns: The syntax.
  static func detect(in lines: [ArraySlice<UInt8>]) -> RouteSyntax {
    let lines = lines.filter { $0.count <= RouteLineReader.lengthLimit }
    let files = lines.filter(RouteFile.isSourceFile)
    if !files.isEmpty, files.count * 2 >= lines.count {
      let names = Set(files.map(RouteFile.baseName))
      if names.contains(where: { $0 == "_layout" || $0.hasPrefix("+") }) { return .expoRouter }
      return names.isDisjoint(with: ["page", "route", "layout", "_app", "_document"])
        ? .expoRouter : .nextJS
    }
    var found: Set<UInt8> = []
    for line in lines { addMarks(of: RouteLineReader.parts(of: line).path, to: &found) }
    guard found.count == 1 else { return .mixed }
    return [.colon, .braces, .brackets, .angles].first { found == Set($0.marks) } ?? .mixed
  }

  private static func addMarks(of path: ArraySlice<UInt8>, to found: inout Set<UInt8>) {
    var index = path.startIndex
    while index < path.endIndex {
      let byte = path[index]
      if byte == UInt8(ascii: ":"), index + 1 < path.endIndex, path[index + 1].isOfName {
        if index == path.startIndex || !path[index - 1].isOfName { found.insert(byte) }
      } else if byte.closer != nil, let end = path.closing(index) {
        let content = path[(index + 1)..<end]
        if byte != UInt8(ascii: "(") {
          found.insert(byte)
        } else if ["/", ":", ".:"].contains(where: { content.hasPrefix($0) }) {
          // An optional part has marks of its own; an expression is no parameter.
          addMarks(of: content, to: &found)
        }
        index = end
      }
      index += 1
    }
  }
}
