/// The data of an Android intent filter, an attribute a word: `host=www.example.com
/// pathPrefix=/buy/`.
///
/// See <https://developer.android.com/guide/topics/manifest/data-element>. The hosts and
/// the paths of a filter go together in every way, and so do those of a line.
struct AndroidRoute {
  /// The ways in which the line writes a path.
  private(set) var paths: [RoutePath] = []

  fileprivate static let attributes: Set = [
    "scheme", "host", "port", "path", "pathPrefix", "pathPattern", "pathSuffix",
    "pathAdvancedPattern", "mimeType",
  ]

  /// Reads a line.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - site: The host whose routes are wanted, or `nil` for any.
  /// - Throws: Why it names no route.
  init(_ line: ArraySlice<UInt8>, host site: String?) throws(RouteLineReader.Failure) {
    let attributes = line.attributes
    if attributes.isEmpty { throw RouteLineReader.Failure(.noRoute) }
    let schemes = attributes.filter { $0.name == "scheme" }.map(\.value)
    if let scheme = schemes.first, !schemes.contains(where: \.isWebScheme) {
      throw RouteLineReader.Failure(.customScheme(scheme.text))
    }
    let hosts = attributes.filter { $0.name == "host" }.map(\.value)
    let reader = RouteWordReader(marks: [])
    if let host = hosts.first,
      !hosts.contains(where: { RouteHost(Array($0), reader: reader).covers(site) })
    {
      throw RouteLineReader.Failure(.otherHost(host.text))
    }
    for (name, value) in attributes {
      switch name {
      case "path": paths.append(.literal(value))
      case "pathPrefix": paths.append(.prefix(value))
      case "pathSuffix":
        let suffix = RouteText.encoded(Array(value))
        paths.append(RoutePath(elements: [.rest], condition: .suffix(suffix)))
      case "pathPattern": paths.append(PathGlob.path(value))
      // A regular expression, of which what stands in front of the first operator is
      // certain.
      case "pathAdvancedPattern":
        paths.append(.prefix(value.prefix { !"[.*+{\\?(".utf8.contains($0) }))
      default: continue
      }
    }
    if paths.isEmpty { paths = [RoutePath(elements: [.rest])] }
  }
}

extension RoutePath {
  /// A path as it is.
  fileprivate static func literal(_ path: ArraySlice<UInt8>) -> RoutePath {
    RoutePath(elements: path.split(separator: UInt8(ascii: "/")).map { .literal($0) })
  }

  /// All paths that begin so.
  fileprivate static func prefix(_ prefix: ArraySlice<UInt8>) -> RoutePath {
    var path = RoutePath(elements: literal(prefix.upToLastSlash).elements + [.rest])
    if !prefix.isEmpty, prefix.last != UInt8(ascii: "/") {
      path.condition = .prefix(RouteText.encoded(Array(prefix)))
    }
    return path
  }
}

extension PathGlob {
  /// All paths that are like a pattern of Android's `pathPattern`.
  fileprivate static func path(_ pattern: ArraySlice<UInt8>) -> RoutePath {
    let glob = PathGlob(pattern)
    let head = glob.literalHead[...]
    if head.count == glob.atoms.count { return .literal(head) }
    if head.count + 1 == glob.atoms.count, glob.endsWithAny { return .prefix(head) }
    return RoutePath(
      elements: RoutePath.literal(head.upToLastSlash).elements + [.rest], condition: .glob(glob))
  }
}

extension ArraySlice<UInt8> {
  /// The slice without what follows its last slash.
  fileprivate var upToLastSlash: ArraySlice<UInt8> {
    self[..<(lastIndex(of: UInt8(ascii: "/")) ?? startIndex)]
  }

  fileprivate var isWebScheme: Bool {
    elementsEqual("https".utf8) || elementsEqual("http".utf8)
  }

  /// A Boolean value indicating whether this is the data of an intent filter.
  var isAndroidData: Bool {
    first != UInt8(ascii: "/") && contains(UInt8(ascii: "=")) && !attributes.isEmpty
  }

  /// The attributes that an intent filter can have.
  fileprivate var attributes: [(name: String, value: ArraySlice<UInt8>)] {
    split { $0 == 0x20 || $0 == 0x09 }.compactMap { word in
      let name = word.prefix { $0 != UInt8(ascii: "=") }
      var value = word[name.endIndex...].dropFirst()
      if value.hasSuffix("/>") { value = value.dropLast(2) }
      if let quote = value.first, value.count > 1, quote == value.last, "\"'".utf8.contains(quote) {
        value = value.dropFirst().dropLast()
      }
      let bare = name.hasPrefix("android:") ? name.dropFirst(8) : name
      let isKnown = AndroidRoute.attributes.contains(bare.text) && !value.isEmpty
      return isKnown ? (bare.text, value) : nil
    }
  }
}
