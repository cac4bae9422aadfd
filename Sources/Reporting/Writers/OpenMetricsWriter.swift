/// Gauges in a text that is valid both as OpenMetrics 1.0 and in the older exposition
/// format of Prometheus (0.0.4), which its textfile collector reads.
///
/// The two formats differ in counters, times of samples, and quotes and backslashes in help, which
/// are avoided here. The older format reads units and the end as comments.
struct OpenMetricsWriter {
  /// The labels of a sample, in order.
  typealias Labels = [(name: String, value: String)]

  private var output: OutputBuffer

  /// The metric that is being written, and the labels of its samples so far.
  private var name = ""
  private var help = ""
  private var known: Set<String> = []

  /// The number that samples with the same labels were given last.
  private var numbers: [String: Int] = [:]

  init(to sink: @escaping OutputSink) { output = OutputBuffer(sink) }

  /// Writes a metric for each column of a table that is one, with a sample for each row.
  mutating func gauges<Source>(_ table: Table<Source>, of source: Source) {
    for column in table.columns {
      guard let gauge = column.gauge else { continue }
      let labels = table.columns(table.labels + gauge.labels)
      begin(gauge.name, help: gauge.help)
      table.forEachRow(of: source) { row in
        guard let number = column.value(row)?.number else { return }
        let host = row.host.map { [(name: "host", value: $0)] } ?? []
        add(
          host + labels.compactMap { label in label.value(row).map { (label.name, $0.cell) } },
          number * gauge.scale)
      }
    }
  }

  /// Begins a metric, whose name ends with the unit if there is one; the help has neither quotes,
  /// backslashes nor line feeds.
  mutating func begin(_ name: String, help: String) {
    (self.name, self.help) = (name, help)
    known.removeAll(keepingCapacity: true)
    numbers.removeAll(keepingCapacity: true)
  }

  /// Writes a sample, after the description of its metric if it is the first one.
  mutating func add(_ labels: Labels, _ value: Int) {
    if known.isEmpty {
      let unit = ["seconds", "bytes"].first { name.hasSuffix("_" + $0) }
      output.append("# TYPE \(name) gauge\n")
      if let unit { output.append("# UNIT \(name) \(unit)\n") }
      output.append("# HELP \(name) \(help)\n")
    }
    append(labels, value)
    output.passOn()
  }

  mutating func finish() throws {
    output.append("# EOF\n")
    try output.finish()
  }

  private mutating func append(_ labels: Labels, _ value: Int) {
    var text = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
    // Two samples with the same labels make the whole file invalid. Values that were
    // cut short can be the same.
    let plain = text
    while !known.insert(text).inserted {
      let number = numbers[plain, default: 1] + 1
      numbers[plain] = number
      text = plain + (plain.isEmpty ? "" : ",") + "duplicate=\"\(number)\""
    }
    output.append(name)
    if !text.isEmpty { output.append("{\(text)}") }
    output.append(" \(value)\n")
  }

  /// The greatest length of a label's value, in Unicode scalars.
  private static let lengthLimit = 256

  /// A label's value: cut short, with escapes, and without anything that a terminal
  /// would obey.
  static func escaped(_ text: String) -> String {
    let isPlain =
      text.utf8.count <= lengthLimit
      && text.utf8.allSatisfy {
        (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
      }
    if isPlain { return text }
    var output = ""
    var reader = SafeText.Reader()
    for (index, scalar) in text.unicodeScalars.enumerated() {
      if index == lengthLimit { return output + "…" }
      let isUnsafe = reader.isUnsafe(scalar)
      switch scalar {
      case "\"": output += "\\\""
      case "\\": output += "\\\\"
      case "\n": output += "\\n"
      case _ where isUnsafe:
        // A literal backslash is doubled.
        output += "\\" + SafeText.escape(scalar)
      default: output.unicodeScalars.append(scalar)
      }
    }
    return output
  }
}
