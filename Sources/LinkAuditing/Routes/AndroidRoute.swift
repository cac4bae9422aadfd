/// The data of an Android intent filter, an attribute a word: `host=www.example.com
/// pathPrefix=/buy/`.
///
/// See <https://developer.android.com/guide/topics/manifest/data-element>. A filter combines
/// all its hosts with all its paths, and so does a line.
struct AndroidRoute {
  /// The paths that the line has.
  private(set) var paths: [RoutePattern.Path] = []

  fileprivate static let attributes: Set = [
    "scheme", "host", "port", "path", "pathPrefix", "pathPattern", "pathSuffix",
    "pathAdvancedPattern", "mimeType",
  ]

  /// Reads a line.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - covers: A function that returns whether the routes of a host are read.
  /// - Throws: The reason why it names no route.
  init(
    _ line: ArraySlice<UInt8>, covers: (_ host: [UInt8]) -> Bool
  ) throws(RouteTable.Omission.Reason) {
    let attributes = line.attributes
    if attributes.isEmpty { throw .noRoute }
    let schemes = attributes.filter { $0.name == "scheme" }.map(\.value.text)
    if let scheme = schemes.first, !schemes.contains(where: ["https", "http"].contains) {
      throw .customScheme(scheme)
    }
    let hosts = attributes.filter { $0.name == "host" }.map(\.value)
    if let host = hosts.first, !hosts.contains(where: { covers(Array($0)) }) {
      throw .otherHost(host.text)
    }
    for (name, value) in attributes {
      switch name {
      case "path": paths.append(RoutePattern.Path(Glob(value)))
      case "pathPrefix": paths.append(RoutePattern.Path(Glob(value, .run)))
      case "pathSuffix": paths.append(RoutePattern.Path(Glob(.run, value)))
      case "pathPattern": paths.append(RoutePattern.Path(Glob(android: value)))
      // Of a regular expression, the text before the first operator is certain.
      case "pathAdvancedPattern":
        let text = value.prefix { !"[.*+{\\?(".utf8.contains($0) }
        paths.append(RoutePattern.Path(Glob(text, .run)))
      default: continue
      }
    }
    if paths.isEmpty { paths = [RoutePattern.Path(elements: [.rest])] }
  }
}

extension Glob {
  fileprivate init(_ text: ArraySlice<UInt8>, _ end: Atom? = nil) {
    self.init(atoms: RouteText.encoded(Array(text)).map { .byte($0) } + [end].compactMap(\.self))
  }

  fileprivate init(_ start: Atom, _ text: ArraySlice<UInt8>) {
    self.init(atoms: [start] + Glob(text).atoms)
  }

  /// Reads a value of `pathPattern`.
  ///
  /// `.` matches any byte, `*` repeats what precedes it, and `\` escapes what follows it. Only `.*`
  /// is common. Any other repetition is read as `.*`, so that no route seems to be missing.
  fileprivate init(android pattern: ArraySlice<UInt8>) {
    self.init(atoms: [])
    var isEscaped = false
    for byte in pattern {
      switch byte {
      // XML writes two for one.
      case UInt8(ascii: "\\"): isEscaped = true
      case UInt8(ascii: "*") where !isEscaped && !atoms.isEmpty: atoms[atoms.count - 1] = .run
      case UInt8(ascii: ".") where !isEscaped: atoms.append(.any)
      default:
        atoms += Glob([byte]).atoms
        isEscaped = false
      }
    }
  }
}

extension RoutePattern.Path {
  /// Creates the path of a glob: the segments before its first gap, and any others, which the glob
  /// checks.
  fileprivate init(_ glob: Glob) {
    let head = glob.head
    let slash = UInt8(ascii: "/")
    let isText = head.count == glob.atoms.count
    let end = isText ? head.count : head.lastIndex(of: slash) ?? 0
    elements = head[..<end].split(separator: slash).map { .literal($0) }
    if isText { return }
    elements.append(.rest)
    // '/buy/.*' says no more than its elements.
    let isPlain = glob.atoms.count == head.count + 1 && glob.atoms.last == .run
    if !isPlain || head.last ?? slash != slash { self.glob = glob }
  }
}

extension ArraySlice<UInt8> {
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
