extension RouteSyntax {
  /// Tells how a list of routes is written, from all of its lines.
  ///
  /// 1. Half of the lines or more end like source files: the files of a router. A file
  ///    called `_layout`, or one that begins with `+`, is Expo Router's; one called `page`,
  ///    `route`, `layout` or `_app` is Next.js's; without any of them it is Expo Router,
  ///    where they mean the same.
  /// 2. Half of the lines or more have attributes of an intent filter: ``android``.
  /// 3. The marks of one kind of parameter stand in its paths: that kind, so that the
  ///    others' marks are text.
  /// 4. None does, or several do: ``mixed``, in which each segment is read by its own
  ///    marks. Lists of several teams in one file are read so.
  ///
  /// The order of the lines doesn't matter.
  ///
  /// - Parameter text: The list, a route a line.
  /// - Returns: The syntax.
  public static func detect(in text: String) -> RouteSyntax {
    detect(in: RouteLines(text).lines.map(\.text))
  }

  static func detect(in lines: [ArraySlice<UInt8>]) -> RouteSyntax {
    let lines = lines.filter { $0.count <= RouteLineReader.lengthLimit }
    let files = lines.filter(RouteFile.isSourceFile)
    if !files.isEmpty, files.count * 2 >= lines.count {
      let names = Set(files.map(RouteFile.baseName))
      if names.contains(where: { $0 == "_layout" || $0.hasPrefix("+") }) { return .expoRouter }
      return names.isDisjoint(with: ["page", "route", "layout", "_app", "_document"])
        ? .expoRouter : .nextJS
    }
    let data = lines.count(where: \.isAndroidData)
    if data > 0, data * 2 >= lines.count { return .android }
    let reader = RouteLineReader(context: RouteContext(syntax: .mixed))
    let marks = lines.reduce(into: Marks()) { marks, line in
      marks.formUnion(Marks(in: reader.parts(line).path))
    }
    return switch marks {
    case .colon: .colon
    case .braces: .braces
    case .brackets: .brackets
    case .angles: .angles
    default: .mixed
    }
  }
}

extension RouteSyntax.Marks {
  /// The marks that stand in a path.
  fileprivate init(in path: ArraySlice<UInt8>) {
    self.init()
    var index = path.startIndex
    while index < path.endIndex {
      let byte = path[index]
      let next = index + 1 < path.endIndex ? path[index + 1] : 0
      if byte == UInt8(ascii: ":"), next.isOfName {
        let previous = index > path.startIndex ? path[index - 1] : UInt8(ascii: "/")
        if !previous.isOfName { insert(.colon) }
      } else if byte.closer != nil, let end = path.closing(index) {
        switch byte {
        case UInt8(ascii: "{"): insert(.braces)
        case UInt8(ascii: "["): insert(.brackets)
        case UInt8(ascii: "<"): insert(.angles)
        // What may be left out has marks of its own; an expression is no parameter.
        default: formUnion(Self(in: path[(index + 1)..<end].beginsOptionalPart))
        }
        index = end
      }
      index += 1
    }
  }
}

extension ArraySlice<UInt8> {
  fileprivate var beginsOptionalPart: ArraySlice<UInt8> {
    hasPrefix("/") || hasPrefix(":") || hasPrefix(".:") ? self : []
  }
}

extension RouteContext {
  /// What the lines of a list say about how each of them is read.
  init(syntax: RouteSyntax, host: String?, lines: [ArraySlice<UInt8>]) {
    self.init(syntax: syntax, host: host?.lowercased())
    if syntax.isOfFiles {
      let directory = Self.directory(of: lines)
      directoryLength = directory.length
      hasPageFiles =
        syntax == .nextJS && directory.name != "pages"
        && lines.contains { ["page", "route"].contains(RouteFile.baseName($0)) }
    } else {
      starIsOne = lines.contains { line in
        line.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("**".utf8) }
      }
    }
  }

  /// The directory of routes, if all files stand below one called `app` or `pages`.
  private static func directory(
    of lines: [ArraySlice<UInt8>]
  ) -> (length: Int, name: String) {
    guard let first = lines.first else { return (0, "") }
    var common = first.lastIndex(of: UInt8(ascii: "/")).map { first[...$0] } ?? []
    for line in lines {
      while !line.starts(with: common), !common.isEmpty {
        let parent = common.dropLast().lastIndex(of: UInt8(ascii: "/"))
        common = parent.map { common[...$0] } ?? []
      }
    }
    var length = 0
    for component in common.split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
    ).dropLast() {
      length += component.count + 1
      if component.elementsEqual("app".utf8) || component.elementsEqual("pages".utf8) {
        return (length, component.text)
      }
    }
    // Both may stand side by side below 'src'.
    let isShared = lines.allSatisfy { line in
      let rest = line.dropFirst(common.count)
      return rest.hasPrefix("app/") || rest.hasPrefix("pages/")
    }
    return isShared ? (common.count, "") : (0, "")
  }
}
