import Foundation
package import UniversalLinks

/// One case of the matching conformance suite: a file, a URL, and the result of Apple's systems.
package struct MatchVector: CustomStringConvertible, Sendable {
  package var id: String
  package var host: String
  package var file: [UInt8]
  package var url: String
  package var system: OperatingSystem
  package var expected: Verdict
  package var apps: [String: Verdict]?
  package var detail: AssociationFile.EntryID?
  package var rule: Int?
  package var namesRule: Bool

  package var description: String { id }
}

extension MatchVector {
  package static let shared = ["recorded", "derived"].flatMap { name in
    (try? load(URL(filePath: "\(TestRun.sharedFolder)/vectors/\(name).jsonl"))) ?? []
  }

  package static func bundled() throws -> [MatchVector] {
    let folder = TestRun.packageFolder + "/Tests/UniversalLinksTests/Vectors/"
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      .filter { $0.hasSuffix(".jsonl") }.flatMap { try load(URL(filePath: folder + $0)) }
  }

  private static func load(_ url: URL) throws -> [MatchVector] {
    try Data(contentsOf: url).split(separator: UInt8(ascii: "\n")).map { try vector(Array($0)) }
  }

  /// Reads a line; the association file keeps its bytes, and so its order.
  private static func vector(_ line: [UInt8]) throws -> MatchVector {
    guard let object = try JSONParser.parse(line).object, let id = object["id"]?.string,
      let host = object["host"]?.string, let file = object["aasa"], let url = object["url"]?.string,
      let system = object["os"]?.string.flatMap(OperatingSystem.init)
    else { throw CocoaError(.fileReadCorruptFile) }
    let detail: AssociationFile.EntryID? =
      switch object["detail"]?.content {
      case .number(let index): .index(Int(index))
      case .string(let key): .key(key)
      default: nil
      }
    let rule: Int? = if case .number(let rule) = object["rule"]?.content { Int(rule) } else { nil }
    return MatchVector(
      id: id, host: host, file: Array(line[file.range]), url: url, system: system,
      expected: verdict(object["expected"]),
      apps: object["apps"]?.object.map { apps in
        Dictionary(uniqueKeysWithValues: apps.members.map { ($0.name, verdict($0.value)) })
      },
      detail: detail, rule: rule, namesRule: object["rule"] != nil)
  }

  private static func verdict(_ value: JSONValue?) -> Verdict {
    ["match": Verdict.claimed, "exclude": .excluded][value?.string ?? ""] ?? .unclaimed
  }
}
