import Foundation
import TestSupport
import Testing

@testable import Reporting

@Suite struct OpenMetricsTests {
  /// Runs a report and returns its samples, after Prometheus' own checker has accepted it.
  static func samples(_ options: String) throws -> [MetricSample] {
    let folder = try TemporaryFolder()
    let path = folder.path + "/linkaudit.prom"
    let outcome = try Command.run("linkaudit report \(options) --format openmetrics -o '\(path)'")
    #expect(outcome.status == 0 || outcome.status == 2, "\(outcome.stderr)")
    if Checkers.hasPromtool {
      #expect(try Command.run("promtool check metrics <'\(path)'") == Command.Outcome())
    }
    let bytes = try folder.bytes(of: "linkaudit.prom")
    let text = try #require(String(validating: bytes, as: UTF8.self))
    #expect(text.hasSuffix("# EOF\n"))
    return try MetricSample.parse(text)
  }

  @Test(
    .enabled(if: Checkers.hasPromtool, "no promtool here; 'Scripts/setup.sh --checks' installs it"))
  func prometheusAcceptsIt() throws {
    for options in [
      "SampleLogs/logs \(site)", "SampleLogs/damaged \(site)", "/dev/null \(site)",
      "SampleLogs/logs \(site) \(routes) --top 1000",
    ] { #expect(try Self.samples(options).count > 30) }
  }

  @Test(arguments: ["", "--top 1000"])
  func seriesAreDistinctAndMetricsInOnePiece(top: String) throws {
    let folder = try SchemaTests.folder()
    let samples = try Self.samples(
      "\(folder.path)/random.log --log-format vcombined \(top) "
        + "--site www.example.com=SampleLogs/aasa.json --site m.example.com=SampleLogs/aasa.json")
    #expect(
      Set(samples.map { "\($0.name) \($0.labels.sorted { $0.key < $1.key })" }).count
        == samples.count)
    var names: [String] = []
    for sample in samples where sample.name != names.last { names.append(sample.name) }
    #expect(Set(names).count == names.count)
    // The contents of a log make no series unless requested.
    #expect(names.contains { $0.contains("coverage") || $0.contains("client") } == !top.isEmpty)
  }

  @Test func hostileLabelsStayLabels() throws {
    let long = String(repeating: "x", count: 300)
    let patterns = [
      "/\"} 1\nfake{a=\"b\"} 2 #", "\\", "/\\\"", "/\u{1B}[31m\u{7F}\u{202E}", "/\u{0}\r\t",
      "/茶\u{301}", "/\(long)1", "/\(long)2", "# EOF",
    ]
    let rules = String(
      decoding: try JSONEncoder().encode(patterns.map { ["/": $0] }), as: UTF8.self)
    let folder = try TemporaryFolder([
      "aasa.json":
        #"{"applinks":{"details":[{"appIDs":["A1B2C3D4E5.com.\"\\\n.tea"],"components":\#(rules)},"#
        + #"{"appIDs":["A1B2C3D4E5.com.other","A1B2C3D4E5.com.other"],"components":\#(rules)}]}}"#,
      "log": "www.example.com\\\"\\\\x 192.0.2.1 - - [x] \"GET /\\\"\\\\\\n HTTP/1.1\" 200 5\n",
    ])
    let samples = try Self.samples(
      "SampleLogs/logs '\(folder.path)/log' --aasa '\(folder.path)/aasa.json' "
        + "--host www.example.com --top 50")
    let rows = samples.filter { $0.name == "linkaudit_rule_requests" }
    #expect(rows.count == 2 * patterns.count)
    #expect(rows[0].labels["pattern"] == patterns[0])
    #expect(rows[1].labels["pattern"] == "\\")
    #expect(rows[3].labels["pattern"] == "/\\u{1B}[31m\\u{7F}\\u{202E}")
    #expect(rows[4].labels["pattern"] == "/\\u{0}\\u{D}\\u{9}")
    #expect(rows[6].labels["pattern"]?.hasSuffix("x…") == true)
    #expect(rows[0].labels["app"] == "A1B2C3D4E5.com.\"\\\n.tea")
    #expect(!samples.contains { $0.name == "fake" })
  }

  @Test func samplesWithEqualLabelsAreDistinguished() throws {
    let text = try collected { sink in
      var metrics = OpenMetricsWriter(to: sink)
      metrics.add("a", help: "A.", [("1", 1), ("1", 2), ("2", 3)].map { ([("x", $0)], $1) })
      metrics.add("none", help: "None.", [])
      metrics.add("b_seconds", help: "B.", [([], 1), ([], 2)])
      try metrics.finish()
    }
    #expect(
      text == """
        # TYPE a gauge
        # HELP a A.
        a{x="1"} 1
        a{x="1",duplicate="2"} 2
        a{x="2"} 3
        # TYPE b_seconds gauge
        # UNIT b_seconds seconds
        # HELP b_seconds B.
        b_seconds 1
        b_seconds{duplicate="2"} 2
        # EOF

        """)
  }

  @Test func tenThousandRulesAreFine() throws {
    let rules = (0..<10_000).map { "{\"/\": \"/buy/\($0)/*\"}" }.joined(separator: ",")
    let file =
      "{\"applinks\": {\"details\": [{\"appIDs\": [\"A1B2C3D4E5.a\"], \"components\": [\(rules)]}]}}"
    let folder = try TemporaryFolder(["aasa.json": file])
    let samples = try Self.samples(
      "SampleLogs/logs --aasa '\(folder.path)/aasa.json' --host www.example.com")
    #expect(samples.count { $0.name == "linkaudit_rule_requests" } == 10_000)
  }
}

struct MetricSample {
  var name: String
  var labels: [String: String]
  var value: Int

  static func parse(_ text: String) throws -> [MetricSample] {
    let sample = #/(\w+)(?:\{((?:\w+="(?:[^"\\]|\\[n\\"])*",?)*)\})? (-?[0-9]+)/#
      .asciiOnlyWordCharacters().matchingSemantics(.unicodeScalar)
    let label = #/(\w+)="((?:[^"\\]|\\[n\\"])*)"/#
      .asciiOnlyWordCharacters().matchingSemantics(.unicodeScalar)
    let escape = #/\\(.)/#.matchingSemantics(.unicodeScalar)
    return try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let found = try #require(try sample.wholeMatch(in: line), "\(line)").output
      let pairs = (found.2 ?? "").matches(of: label).map { pair in
        (String(pair.1), String(pair.2.replacing(escape) { $0.1 == "n" ? "\n" : $0.1 }))
      }
      let labels = Dictionary(pairs) { first, _ in first }
      #expect(labels.count == pairs.count, "\(line)")
      return MetricSample(name: String(found.1), labels: labels, value: try #require(Int(found.3)))
    }
  }
}

/// Returns the output of a renderer, which must be UTF-8.
func collected(_ produce: (@escaping OutputSink) throws -> Void) throws -> String {
  final class Box { var bytes: [UInt8] = [] }
  let box = Box()
  try produce { box.bytes += $0 }
  return try #require(String(validating: box.bytes, as: UTF8.self))
}
