import Foundation
import Testing

@testable import TrafficDigest

/// A table of a documentation page that lists the names in the code, between two marks.
enum DocumentedNames {
  /// Compares the table with its lines, or rewrites it for `RECORD_DOCUMENTATION=1 swift test`.
  static func check(_ page: String, mark: String, _ lines: [String]) throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Documentation/\(page)")
    let (begin, end) = ("<!-- \(mark): begin -->\n", "\n<!-- \(mark): end -->")
    let text = String(decoding: try Data(contentsOf: page), as: UTF8.self)
    let from = try #require(text.range(of: begin)).upperBound
    let to = try #require(text.range(of: end)).lowerBound
    let table = lines.joined(separator: "\n")
    if ProcessInfo.processInfo.environment["RECORD_DOCUMENTATION"] == "1" {
      try Data((text[..<from] + table + text[to...]).utf8).write(to: page)
    } else {
      #expect(text[from..<to] == table)
    }
  }

  /// The line of a name.
  static func line(_ listed: ListedName, _ kind: String) -> String {
    let sources = listed.sources.map(name).joined(separator: ", ")
    return "| \(listed.name) | `\(kind)` | \(code(listed.words)) | \(sources) |"
  }

  /// Words as code.
  static func code(_ words: [String]) -> String {
    words.map { "`\($0)`" }.joined(separator: ", ")
  }

  /// The name of a source.
  private static func name(_ source: ListedName.Source) -> String {
    switch source {
    case .crawlerUserAgents: "crawler-user-agents"
    case .deviceDetector: "device-detector"
    case .fakeUserAgent: "fake-useragent"
    case .matomo: "searchengine-and-social-list"
    case .mailTrackers: "MailTrackerBlocker"
    case .shorteners: "url-shorteners"
    case .page(let address): "[maker](\(address))"
    }
  }
}
