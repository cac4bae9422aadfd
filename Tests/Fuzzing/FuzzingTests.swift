import Foundation
import TestSupport
import Testing

/// Fuzz targets on their seeds, and on earlier findings.
@Suite struct FuzzingTests {
  /// The fuzzer starts with all seeds; a few are enough to test that a target still works.
  private static let seedLimit = 12

  @Test(arguments: FuzzTarget.all)
  func seedsHold(target: FuzzTarget) throws {
    let seeds = try target.seeds(.own)
    #expect(!seeds.isEmpty)
    for number in stride(from: 0, to: seeds.count, by: seeds.count / Self.seedLimit + 1) {
      let seed = seeds[number]
      try target.run(seed)
      // Cut, and with a byte that no text contains.
      try target.run(Array(seed.prefix(seed.count / 2)))
      var changed = seed
      if !changed.isEmpty { changed[changed.count / 3] ^= 0xFF }
      try target.run(changed)
    }
    try target.run([])
  }

  /// Seeds with a few changed bytes, inserted words, and cut ends: as many as the time allows.
  @Test(arguments: FuzzTarget.all)
  func changedSeedsHold(target: FuzzTarget) throws {
    var generator = SeededGenerator()
    let seeds = try target.seeds(.own).filter { (1..<20_000).contains($0.count) }
    let end = ContinuousClock.now + .milliseconds(TestRun.size(full: 20_000, usual: 500))
    var count = 0
    while count < 50 || ContinuousClock.now < end {
      count += 1
      var bytes = generator.pick(seeds)
      for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: bytes.removeLast(bytes.count - place)
        case 1: bytes.insert(contentsOf: generator.pick(target.words + [""]).utf8, at: place)
        default:
          let byte = UInt8.random(in: 0...255, using: &generator)
          bytes.changeByte(to: [0, 1, 0x20, 0x22, 0x5B, 0x5C, 0x7F, 0xFF, byte], using: &generator)
        }
      }
      do { try target.run(bytes) } catch { Issue.record("\(error): \(bytes.shown)") }
    }
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
