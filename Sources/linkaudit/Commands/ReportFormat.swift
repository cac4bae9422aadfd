internal import ArgumentParser
internal import Reporting

/// The formats of a report.
enum ReportFormat: String, CaseIterable, ExpressibleByArgument {
  case text
  case json
  case csv
  case html
  case ndjson
  case openmetrics
  case markdown

  /// The extension of a file in this format, without the full stop.
  var filenameExtension: String {
    switch self {
    case .text: "txt"
    case .openmetrics: "prom"
    case .markdown: "md"
    default: rawValue
    }
  }
}

/// The name of a table, as an option takes it.
struct TableOption<Source: TableSource>: ExpressibleByArgument {
  /// The table.
  let table: Table<Source>

  var name: String { table.name }

  init?(argument: String) {
    guard let table = Source.table(argument.lowercased()) else { return nil }
    self.table = table
  }

  static var allValueStrings: [String] { Source.tables.map(\.name) }

  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

  var defaultValueDescription: String { name }
}
