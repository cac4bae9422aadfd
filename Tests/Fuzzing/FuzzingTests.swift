import TestSupport
import Testing

@Suite struct FuzzingTests {
  @Test(arguments: FuzzTarget.all)
  func seedsHold(target: FuzzTarget) throws {
    let seeds = try target.seeds(.own)
    #expect(!seeds.isEmpty)
    // The fuzzer starts with all seeds; a few are enough to test that a target still works.
    for seed in seeds.every(seeds.count / 12 + 1) {
      try target.run(seed)
      // Cut, and with a byte that no text contains.
      try target.run(Array(seed.prefix(seed.count / 2)))
      var changed = seed
      if !changed.isEmpty { changed[changed.count / 3] ^= 0xFF }
      try target.run(changed)
    }
    try target.run([])
  }

  /// The inputs of the folder `Findings`, each in a folder named for its target.
  static let findings: [(target: String, path: String)] = {
    let paths = (try? SeedSources.own.paths(below: "Tests/Fuzzing/Findings")) ?? []
    return paths.filter { !$0.hasSuffix(".md") }.map { path in
      (String(path.split(separator: "/").dropLast().last ?? ""), path)
    }.filter { !FuzzTarget.missingNames.contains($0.0) }
  }()

  @Test(arguments: findings)
  func findingsAreFixed(name: String, path: String) throws {
    let target = try #require(FuzzTarget.named(name), "'\(path)' is in no target's folder")
    try target.run(try SeedSources.own.bytes(path))
  }

  @Test func namesAreDistinct() {
    #expect(Set(FuzzTarget.all.map(\.name)).count == FuzzTarget.all.count)
  }
}
