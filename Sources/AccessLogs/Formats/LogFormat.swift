/// A format of access logs: one that has a name, or one that was given as text.
public struct LogFormat: Hashable, Sendable {
  /// How the lines of a format are read.
  enum Layout: Hashable, Sendable {
    case common(CommonLayout)
    case columns(ColumnLayout)
    case json(JSONKeyTree)
    case template(LineTemplate)
    case haproxy
  }

  /// The name, such as `combined`; that of a format given as text says what kind of
  /// text it was.
  public let name: String

  /// What writes the format, in a few words.
  public let summary: String

  /// How its lines are read; what the first layout can't read is tried with the next.
  let layouts: [Layout]

  init(_ name: String, _ summary: String, _ layouts: Layout...) {
    self.name = name
    self.summary = summary
    self.layouts = layouts
  }

  public static func == (one: LogFormat, other: LogFormat) -> Bool {
    one.name == other.name && one.layouts == other.layouts
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension LogFormat {
  /// The layout of the formats that the fastest parser reads.
  var commonLayout: CommonLayout? {
    if layouts.count == 1, case .common(let layout) = layouts[0] { layout } else { nil }
  }

  /// A Boolean value indicating whether lines tell how those behind them are read.
  public var hasHeadings: Bool {
    layouts.contains { layout in
      if case .columns(let columns) = layout { columns.heading != .none } else { false }
    }
  }

  /// The fields that its lines can hold, in a fixed order; `nil` if a heading in each
  /// log says so.
  public var fields: [LogField]? {
    guard !hasHeadings || self == .cloudStorage else { return nil }
    let held = layouts.reduce(into: Set<LogField>()) { $0.formUnion($1.fields) }
    // No request is told from another by its size.
    return LogField.allCases.filter { held.contains($0) && $0 != .size }
  }
}

extension LogFormat.Layout {
  fileprivate var fields: Set<LogField> {
    switch self {
    case .common(let layout):
      var fields: Set<LogField> = [.time, .method, .target, .status]
      if layout.namesHost { fields.insert(.host) }
      if layout.namesReferrer { fields.formUnion([.referrer, .agent]) }
      return fields
    case .columns(let layout): return Set(layout.columns.compactMap { $0 })
    case .json(let tree): return Set(tree.paths.map(\.field))
    case .haproxy: return [.time, .request, .status, .host, .referrer, .agent]
    case .template(let template):
      return Set(
        template.elements.compactMap { element in
          switch element {
          case .field(let field): field
          case .commonTime, .clock: .time
          default: nil
          }
        })
    }
  }
}
