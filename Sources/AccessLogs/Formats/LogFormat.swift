internal import Foundations

/// A format of access logs, which has a name or was given as text.
public struct LogFormat: Hashable, Sendable {
  /// How the lines of a format are read.
  enum Layout: Hashable, Sendable {
    case common(LogLineParser)

    /// In a box, as reading a line of another layout would otherwise copy its size.
    indirect case columns(ColumnLayout)
    case json(JSONKeyTree)

    /// Pairs of a name and a value, with equals signs in them, or colons after labels.
    case pairs(JSONKeyTree, areLabels: Bool)
    case template(TemplateLineParser)
    case haproxy
    case rows(JSONKeyTree)
  }

  /// The name, such as `combined`; that of a format given as text says what kind of
  /// text it was.
  public let name: String

  /// The servers that write the format, in a few words.
  public let summary: String

  /// The layouts of its lines; a line that the first one can't read is tried with the next.
  ///
  /// ``FormatCandidate`` names some of them by their positions.
  private(set) var layouts: [Layout]

  /// A Boolean value indicating whether Docker has wrapped the lines in JSON.
  private(set) var isDockerLog = false

  init(_ name: String, _ summary: String, _ layouts: Layout...) {
    self.name = name
    self.summary = summary
    self.layouts = layouts
  }

  public static func == (one: LogFormat, other: LogFormat) -> Bool {
    one.name == other.name && one.layouts == other.layouts
      && one.isDockerLog == other.isDockerLog
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension LogFormat {
  var inDockerLog: LogFormat {
    var format = self
    format.isDockerLog = true
    return format
  }

  /// Returns the format of a log whose lines have this format once they are unwrapped.
  public func unwrapping(_ chunk: LineChunk) -> LogFormat {
    chunk.isDockerLog && !hasRows ? inDockerLog : self
  }

  /// The layout of the formats that have the fastest parser.
  package var commonLayout: LogLineParser? {
    guard !isDockerLog, layouts.count == 1, case .common(let layout) = layouts[0] else {
      return nil
    }
    return layout
  }

  /// A Boolean value indicating whether the lines are rows, each of which represents a number of
  /// requests.
  package var hasRows: Bool { layouts == [.rows(.rowNames)] }

  /// A Boolean value indicating whether the format has lines that describe the next ones.
  public var hasHeadings: Bool { heading != .none }

  /// Returns a Boolean value indicating whether the lines of a format are JSON, so that keys name
  /// their fields.
  ///
  /// - Parameter name: The name of the format; see ``name``.
  /// - Returns: Whether its lines are JSON.
  package static func isJSON(named name: String) -> Bool {
    guard name != jsonName else { return true }
    return LogFormat(named: name)?.layouts.contains { layout in
      if case .json = layout { true } else { false }
    } ?? false
  }

  /// The option of the command line that chooses the format.
  package var option: String { name == Self.jsonName ? "--json-keys" : "--log-format" }

  var jsonPaths: [JSONKeyTree.Path] {
    layouts.flatMap { layout -> [JSONKeyTree.Path] in
      if case .json(let tree) = layout { tree.paths } else { [] }
    }
  }

  /// A Boolean value indicating whether each line has a time; formats that name their fields need
  /// not have one.
  package var namesTime: Bool {
    layouts.allSatisfy { layout in
      switch layout {
      case .json, .pairs, .rows: false
      // Asked for each chunk, and most logs have this layout.
      case .common: true
      default: !layout.fields.isDisjoint(with: [.time, .date])
      }
    }
  }

  /// The kind of lines that describe the next ones.
  var heading: ColumnLayout.Heading { headingLayout?.heading ?? .none }

  /// The layout whose lines have headings, or `nil` if there is none.
  var headingLayout: ColumnLayout? { layouts.lazy.compactMap(\.headed).first }

  /// This format without the layouts whose lines have no headings.
  var withoutOtherLayouts: LogFormat {
    var format = self
    format.layouts.removeAll { $0.headed == nil }
    return format
  }

  /// The fields that its lines can hold, in a fixed order; `nil` if a heading in each
  /// log says so.
  public var fields: [LogField]? {
    guard !hasHeadings || self == .cloudStorage else { return nil }
    let held = layouts.reduce(into: Set<LogField>()) { $0.formUnion($1.fields) }
    // Sizes don't distinguish requests.
    return LogField.allCases.filter { held.contains($0) && $0 != .size }
  }
}

extension LogFormat {
  /// Returns whether the lines of a log can name hosts, even if those read so far don't.
  ///
  /// - Parameters:
  ///   - heading: The directives of the log.
  ///   - hasHostKey: Whether its first lines have a key that usually holds a host, which decides
  ///     where keys and names are guessed.
  /// - Returns: Whether they can.
  package func canNameHosts(under heading: ColumnHeading, hasHostKey: Bool) -> Bool {
    layouts.contains { layout in
      switch layout {
      case .columns(let columns) where columns.heading != .none && !heading.columns.isEmpty:
        heading.columns.contains(.host) || heading.targetsNameHosts
      case .json(let tree) where tree == .usualNames: hasHostKey
      case .pairs: hasHostKey
      default: layout.fields.contains(.host)
      }
    }
  }

  /// Returns a Boolean value indicating whether the beginning of a log in JSON or of pairs has a
  /// key that usually holds a host.
  package func hasHostKey(in chunk: LineChunk) -> Bool {
    for case .pairs(let names, let areLabels) in layouts {
      return chunk.withBytes { names.findsHost(inPairs: $0, areLabels: areLabels, upTo: 1 << 12) }
    }
    guard layouts.contains(.json(.usualNames)) else { return false }
    return chunk.withBytes { $0.hasJSONKey(of: .lastHostKeys, upTo: 1 << 12) }
  }
}

extension JSONKeyTree {
  fileprivate func findsHost(
    inPairs bytes: Span<UInt8>, areLabels: Bool, upTo limit: Int
  ) -> Bool {
    var position = 0
    while position < limit, let range = bytes.nextLine(&position) {
      var fields = LineFields()
      _ = parsePairs(bytes.extracting(range), areLabels: areLabels, into: &fields)
      if fields.holds(.host) { return true }
    }
    return false
  }
}

extension Span<UInt8> {
  /// Returns whether one of some keys is quoted and has a colon after it.
  fileprivate func hasJSONKey(of keys: JSONKeyTree, upTo limit: Int) -> Bool {
    let end = Swift.min(count, limit)
    var start = 0
    while let open = firstIndex(of: UInt8(ascii: "\""), from: start, to: end),
      let close = firstIndex(of: UInt8(ascii: "\""), from: open + 1, to: end)
    {
      start = close
      var next = close + 1
      while next < end, self[next].isBlank { next += 1 }
      guard next < end, self[next] == UInt8(ascii: ":") else { continue }
      if keys.find(extracting((open + 1)..<close), at: 0) >= 0 { return true }
    }
    return false
  }
}

extension LogFormat.Layout {
  /// The columns that a heading names, or `nil` if none does.
  fileprivate var headed: ColumnLayout? {
    switch self {
    case .columns(let columns) where columns.heading != .none: columns
    case .rows: ColumnLayout(heading: .rowNames)
    default: nil
    }
  }

  fileprivate var fields: Set<LogField> {
    switch self {
    case .common(let layout):
      var fields: Set<LogField> = [.time, .method, .target, .status]
      if layout.namesHost { fields.insert(.host) }
      if layout.namesReferrer { fields.formUnion([.referrer, .agent]) }
      return fields
    case .columns(let layout): return Set(layout.columns.compactMap { $0 })
    case .json(let tree), .pairs(let tree, _), .rows(let tree):
      return Set(tree.paths.map(\.field))
    case .haproxy: return [.time, .request, .status, .host, .referrer, .agent]
    case .template(let parser):
      return Set(
        parser.template.elements.compactMap { element in
          switch element {
          case .field(let field): field
          case .commonTime, .clock: .time
          default: nil
          }
        })
    }
  }
}
