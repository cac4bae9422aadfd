import Foundation
import Testing

@testable import UniversalLinks

/// One case of the matching conformance suite: a file, a URL, and the result of Apple's systems.
struct MatchVector: Sendable {
  var id: String
  var host: String
  var file: [UInt8]
  var url: String
  var system: OperatingSystem
  var expected: Verdict
  var apps: [String: Verdict]?
  var detail: AssociationFile.EntryID?
  var rule: Int?
  var namesRule: Bool
}

extension MatchVector: CustomTestStringConvertible {
  var testDescription: String { id }
}

extension MatchVector {
  /// The folder with recorded vectors, next to the package or as the environment says.
  static var sharedFolder: URL {
    if let path = ProcessInfo.processInfo.environment["LINKAUDIT_SHARED"] {
      return URL(fileURLWithPath: path)
    }
    return URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("shared")
  }

  /// The vectors in a file of the shared folder, or none if it is missing.
  static func shared(_ name: String) -> [MatchVector] {
    let url = sharedFolder.appendingPathComponent("vectors/\(name).jsonl")
    return (try? load(url)) ?? []
  }

  /// The vectors that come with the package.
  static func bundled() throws -> [MatchVector] {
    let folder = try #require(Bundle.module.resourceURL).appendingPathComponent("Vectors")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasSuffix(".jsonl") }
      .flatMap { try load(folder.appendingPathComponent($0)) }
  }

  private static func load(_ url: URL) throws -> [MatchVector] {
    try Data(contentsOf: url).split(separator: UInt8(ascii: "\n")).compactMap { line in
      try vector(Array(line))
    }
  }

  /// Reads a line; the association file keeps its bytes, and so its order.
  private static func vector(_ line: [UInt8]) throws -> MatchVector {
    let value = try JSONParser.parse(line)
    let object = try #require(value.object)
    let file = try #require(object["aasa"])
    let detail: AssociationFile.EntryID? =
      switch object["detail"]?.content {
      case .number(let index): .index(Int(index))
      case .string(let key): .key(key)
      default: nil
      }
    let rule: Int? = if case .number(let rule) = object["rule"]?.content { Int(rule) } else { nil }
    return MatchVector(
      id: try #require(object["id"]?.string), host: try #require(object["host"]?.string),
      file: Array(line[file.range]), url: try #require(object["url"]?.string),
      system: try #require(object["os"]?.string.flatMap(OperatingSystem.init)),
      expected: try verdict(object["expected"]),
      apps: try object["apps"]?.object.map { apps in
        Dictionary(
          uniqueKeysWithValues: try apps.members.map { ($0.name, try verdict($0.value)) })
      },
      detail: detail, rule: rule, namesRule: object["rule"] != nil)
  }

  private static func verdict(_ value: JSONValue?) throws -> Verdict {
    switch value?.string {
    case "match": .claimed
    case "exclude": .excluded
    default: .unclaimed
    }
  }
}
