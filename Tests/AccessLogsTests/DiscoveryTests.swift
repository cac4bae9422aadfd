import Foundation
import TestSupport
import Testing

@testable import AccessLogs

extension TemporaryFolder {
  /// Creates a folder with files that differ in their names alone.
  convenience init(names: [String]) throws {
    try self.init(Dictionary(uniqueKeysWithValues: names.map { ($0, "x\n") }))
  }

  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: path + "/" + name, withDestinationPath: target)
  }
}

@Suite struct DiscoveryTests {
  @Test func aDirectoryIsFoundInOrderAndOnce() throws {
    let folder = try TemporaryFolder(names: ["b.log", "a/2.log", "a/1.log", ".hidden", "a/.hidden"])
    let (inputs, problems) = LogInput.discover(
      [folder.path + "/b.log", folder.path, folder.path + "/missing"])
    // A missing path is an input that can't be read.
    #expect(
      inputs.map(\.path) == ["/a/1.log", "/a/2.log", "/b.log", "/missing"].map { folder.path + $0 })
    #expect(problems == [.sameFile(folder.path + "/b.log", as: folder.path + "/b.log")])
  }

  @Test func manyWorkersFindTheSameInTheSameOrder() throws {
    let folder = try TemporaryFolder()
    for number in 0..<300 {
      _ = try folder.write(Array(repeating: 0x0A, count: number % 7), to: "\(number % 2)/\(number)")
    }
    try folder.link("0/gone", to: "nowhere")
    let (inputs, problems) = LogInput.discover([folder.path], jobs: 1)
    #expect(inputs.count == 301 && problems.isEmpty)
    #expect(LogInput.discover([folder.path], jobs: 8).inputs == inputs)
  }

  @Test func aFileHasOneIdentityUnderAllNames() throws {
    let folder = try TemporaryFolder(names: ["a", "c"])
    try FileManager.default.linkItem(atPath: folder.path + "/a", toPath: folder.path + "/b")
    let inputs = LogInput.discover([folder.path + "/a", folder.path + "/c"]).inputs
    #expect(inputs[0].identity == FileIdentity(ofRegularFile: folder.path + "/b"))
    #expect(inputs[0].identity != inputs[1].identity)
    #expect(FileIdentity(ofRegularFile: folder.path) == nil)
  }

  @Test func linksAreFollowedAndNeverRoundInCircles() throws {
    let folder = try TemporaryFolder(names: ["a/1.log"])
    let outside = try TemporaryFolder(names: ["o.log"])
    for (link, target) in [("a/up", folder.path), ("out", outside.path), ("l", "nowhere")] {
      try folder.link(link, to: target)
    }
    let (inputs, _) = LogInput.discover([folder.path])
    #expect(inputs.map(\.path) == ["/a/1.log", "/l", "/out/o.log"].map { folder.path + $0 })
  }

  static func folder() throws -> TemporaryFolder {
    try TemporaryFolder(names: [
      "a.log", "b.log", "b.txt", "ü.log", ".hidden.log", "[x].log", "d/a.log", "d/e/a.log",
      "d/e/b.log", "d/.h/a.log", "e/a.log", "e/x y.log",
    ])
  }

  @Test(arguments: [
    ("*.log", ["[x].log", "a.log", "b.log", "ü.log"]), ("?.log", ["a.log", "b.log", "ü.log"]),
    ("[ab].*", ["a.log", "b.log", "b.txt"]), ("[!a]?log", ["b.log", "ü.log"]),
    ("[!a].log", ["b.log", "ü.log"]), ("[^a-y].log", ["ü.log"]), (".*.log", [".hidden.log"]),
    ("[x].log", ["[x].log"]), ("[[]x].log", ["[x].log"]), ("[.]*.log", []),
    ("*/a.log", ["d/a.log", "e/a.log"]), ("*/*/a.log", ["d/e/a.log"]),
    ("**/a.log", ["a.log", "d/a.log", "d/e/a.log", "e/a.log"]),
    ("**/**/b.log", ["b.log", "d/e/b.log"]), ("d/**/b.log", ["d/e/b.log"]),
    ("d/**", ["d/a.log", "d/e/a.log", "d/e/b.log"]),
    ("[de]", ["d/a.log", "d/e/a.log", "d/e/b.log", "e/a.log", "e/x y.log"]),
    ("**/e", ["d/e/a.log", "d/e/b.log", "e/a.log", "e/x y.log"]), ("d/.?/*", ["d/.h/a.log"]),
    ("e/* *", ["e/x y.log"]), ("*.nothing", []), ("a.log/*", []),
  ])
  func patternsAreExpanded(pattern: String, expected: [String]) throws {
    let folder = try Self.folder()
    let (inputs, problems) = LogInput.discover([folder.path + "/" + pattern])
    #expect(inputs.map(\.path) == expected.map { folder.path + "/" + $0 })
    #expect(problems == (expected.isEmpty ? [.noMatch(folder.path + "/" + pattern)] : []))
  }

  @Test(arguments: ["", "/*", "/**", "/p*", "/**/pipe"])
  func pipesAreReadOnlyIfTheyAreNamed(pattern: String) throws {
    let folder = try TemporaryFolder(names: ["plain.log"])
    let pipe = folder.path + "/pipe"
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    let found = LogInput.discover([folder.path + pattern])
    #expect(found.inputs.map(\.path).allSatisfy { $0.hasSuffix("/plain.log") })
    #expect(found.problems == [.notRegular(pipe)])
    #expect(LogInput.discover([pipe]).inputs.map(\.path) == [pipe])
    #expect(LogInput.discover([], listed: [pipe]).problems.isEmpty)
  }

  @Test func aPatternMeetsLinksThatLeadRoundInCircles() throws {
    let folder = try Self.folder()
    try folder.link("d/up", to: folder.path)
    let (inputs, _) = LogInput.discover([folder.path + "/**/b.log"])
    #expect(inputs.map(\.path) == ["/b.log", "/d/e/b.log"].map { folder.path + $0 })
  }

  @Test func listedPathsAreTakenAsTheyAre() throws {
    let folder = try Self.folder()
    let list = ["*.log", "[x].log", "d/e"].map { folder.path + "/" + $0 } + ["-"]
    let (inputs, problems) = LogInput.discover([folder.path + "/a.log"], listed: list)
    #expect(
      inputs.map(\.path) == ["./-"]
        + ["*.log", "[x].log", "a.log", "d/e/a.log", "d/e/b.log"].map { folder.path + "/" + $0 })
    #expect(problems.isEmpty)
  }

  @Test(arguments: [
    ("a\nb c\n", ["a", "b c"]), ("\n\na\r\n\r\nb", ["a", "b"]), ("", []),
    ("a\nb\0c\r\0\0", ["a\nb", "c\r"]),
  ])
  func listsAreReadByLinesOrBytesOfZero(list: String, paths: [String]) {
    #expect(LogInput.paths(inList: Array(list.utf8)) == paths)
  }

  @Test func randomPatternsMatchLikeTheirDefinition() {
    func matches(_ pattern: ArraySlice<Character>, _ name: ArraySlice<Character>) -> Bool {
      guard let first = pattern.first else { return name.isEmpty }
      if first == "*" {
        return (name.startIndex...name.endIndex).contains {
          matches(pattern.dropFirst(), name[$0...])
        }
      }
      guard let character = name.first, first == "?" || first == character else { return false }
      return matches(pattern.dropFirst(), name.dropFirst())
    }
    var generator = SeededGenerator()
    for _ in 0..<5_000 {
      let length = Int.random(in: 0...8, using: &generator)
      let pattern = (0..<length).map { _ in generator.pick("ab*?") }
      let nameLength = Int.random(in: 1...10, using: &generator)
      let name = (0..<nameLength).map { _ in generator.pick("ab") }
      let isMatch = PathPattern.Segment(String(pattern)).matches(String(name))
      #expect(isMatch == matches(pattern[...], name[...]), "\(String(pattern)), \(String(name))")
    }
  }

  /// The time for a hundred stars is at most proportional to their number times the name's length.
  @Test func manyStarsAreNoTrap() {
    let segment = PathPattern.Segment(String(repeating: "*a", count: 100) + "b")
    let matches = segment.matches(String(repeating: "a", count: 250))
    #expect(!matches)
  }
}

@Suite struct HostPatternTests {
  @Test(
    arguments: [
      ("{host}-access", "/var/log/www.example.com-access.log.1.gz", "www.example.com"),
      ("{host}-access", "www-2.Example.com-access.log", "www-2.example.com"),
      ("{host}-access", "/var/log/access.log", nil),
      ("{host}/access", "/srv/logs/www.example.com/access.log", "www.example.com"),
      ("{host}/access", "access.log", nil), ("{host}", "/logs/www.example.com", "www.example.com"),
      ("ssl_{host}.access", "/logs/ssl_www.example.com.access.log", "www.example.com"),
      ("*_{host}.access", "/logs/a_b_www.example.com.access.log", "b_www.example.com"),
      ("{host}.log", "/logs/www.example.com.log.gz", "www.example.com"),
      ("{host}/*/access", "/l/www.example.com/2026/access.log", "www.example.com"),
      ("/logs/{host}/", "/srv/logs/www.example.com/access.log", "www.example.com"),
      ("/logs/{host}/", "/srv/logs/www.example.com", nil),
      ("/logs/{host}/", "/srv/logs/www.example.com/2026/access.log", nil),
      ("*a*a*a*a*a*a*a*a*b{host}", String(repeating: "a", count: 2_000), nil),
      ("{host}-access", "-access", nil), ("{host}-access", ".-access", nil),
    ] as [(String, String, String?)])
  func hosts(pattern: String, path: String, host: String?) throws {
    #expect(try #require(HostPattern(pattern)).host(of: path) == host)
  }

  @Test func manyStarsAreOneAndManyPartsAreRefused() throws {
    let stars = String(repeating: "*", count: 100_000)
    #expect(try #require(HostPattern("{host}-" + stars)).host(of: "a.example-x") == "a.example")
    #expect(HostPattern("{host}-" + String(repeating: "*a", count: 10_000)) == nil)
  }

  @Test(arguments: ["", "access", "{host}{host}", "{hots}", "ssl_{host}."])
  func patternsWithoutOneHost(pattern: String) {
    #expect(HostPattern(pattern) == nil)
  }
}
