import Foundation
import Testing

/// Documentation/Dependencies.md lists the package's dependencies.
@Suite struct DependencyTests {
  private static func text(_ path: String) throws -> String {
    try String(contentsOf: Command.packageFolder.appendingPathComponent(path), encoding: .utf8)
  }

  /// The rows of the page's tables that begin with a name in backticks, as lists of columns.
  private static func rows() throws -> [String: [String]] {
    let rows = try text("Documentation/Dependencies.md").split(separator: "\n")
      .filter { $0.hasPrefix("| `") }
      .map { row in
        row.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
          .map { $0.trimmingCharacters(in: .whitespaces) }
      }
    return Dictionary(
      rows.map { ($0[0].replacing("`", with: ""), $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The name and minimum version of each package in Package.swift.
  private static func direct() throws -> [String: String] {
    let pattern = /\.package\(url: "[^"]*\/([^"\/]+)", from: "([^"]+)"\)/
    let found = try text("Package.swift").matches(of: pattern)
    return Dictionary(uniqueKeysWithValues: found.map { (String($0.1), String($0.2)) })
  }

  @Test func directPackagesAreListedWithTheirVersions() throws {
    let (rows, direct) = (try Self.rows(), try Self.direct())
    #expect(direct.count == 3, "a dependency is written in another way; fix this test")
    for (name, version) in direct {
      let row = try #require(rows[name], "'\(name)' is missing in Documentation/Dependencies.md")
      #expect(row.count == 6, "\(name): version, license, module, reason and its absence")
      #expect(row[1] == version + " or later", "\(name)")
      #expect(row.allSatisfy { !$0.isEmpty }, "\(name)")
    }
  }

  @Test func allThatIsResolvedIsListed() throws {
    struct Resolved: Decodable {
      struct Pin: Decodable {
        struct State: Decodable { var version: String? }
        var location: String
        var state: State
      }
      var pins: [Pin]
    }
    // The package manager writes it during the build.
    let data = Data(try Self.text("Package.resolved").utf8)
    let pins = try JSONDecoder().decode(Resolved.self, from: data).pins
    let rows = try Self.rows()
    let names = pins.map { pin in
      String(pin.location.split(separator: "/").last ?? "").replacing(/\.git$/, with: "")
    }
    #expect(pins.allSatisfy { $0.state.version != nil && $0.location.hasPrefix("https://") })
    for name in names {
      #expect(rows[name] != nil, "'\(name)' is missing in Documentation/Dependencies.md")
    }
    let libraries: Set = [
      "libz", "ISA-L", "libzstd", "libbz2", "liblzma", "libcurl", "SQLite", "libyaml", "Swift",
    ]
    #expect(Set(rows.keys).subtracting(libraries).subtracting(names) == [], "not used any more")
    #expect(libraries.subtracting(rows.keys) == [])
  }
}
