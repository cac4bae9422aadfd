import TestSupport
import Testing

@testable import LinkAuditing

@Suite struct SampleTests {
  typealias Sample = SampleStore.Sample

  /// The best targets of a set, with their order written out.
  static func expected(_ samples: [Sample]) -> [Sample] {
    var best: [[UInt8]: Bool] = [:]
    for sample in samples {
      best[sample.target] = (best[sample.target] ?? false) || sample.isVisited
    }
    return Array(
      best.map { Sample(target: $0.key, isVisited: $0.value) }.sorted { first, second in
        if first.isVisited != second.isVisited { return first.isVisited }
        if first.target.count != second.target.count {
          return first.target.count < second.target.count
        }
        return first.target.lexicographicallyPrecedes(second.target)
      }.prefix(3))
  }

  @Test func keepsTheBestInAnyOrderAndAnySplit() {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let things = 3
      var offers: [(thing: Int, sample: Sample)] = []
      for _ in 0..<Int.random(in: 0...20, using: &generator) {
        let target = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
          UInt8.random(in: 0x61...0x63, using: &generator)
        }
        offers.append(
          (
            Int.random(in: 0..<things, using: &generator),
            Sample(target: target, isVisited: Bool.random(using: &generator))
          ))
      }
      var stores = Array(repeating: SampleStore(), count: 3)
      for offer in offers {
        let store = Int.random(in: 0..<3, using: &generator)
        stores[store].offer(
          offer.sample.target.span, isVisited: offer.sample.isVisited, for: offer.thing)
      }
      var all = SampleStore()
      for store in stores {
        for thing in 0..<things { all.offer(store, thing, for: thing) }
      }
      for thing in 0..<things {
        let own = offers.filter { $0.thing == thing }.map(\.sample)
        #expect(all.samples(thing) == Self.expected(own), "seed: \(seed)")
        #expect(Sample.best(own) == Self.expected(own), "seed: \(seed)")
      }
    }
  }

  /// Better samples replace so many others that their bytes are removed several times.
  @Test func keepsTheBestOfVeryMany() {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    var store = SampleStore()
    var offers: [[Sample]] = [[], [], []]
    for length in (1...600).reversed() {
      for thing in offers.indices {
        let target = (0..<length).map { _ in UInt8.random(in: 0x61...0x7A, using: &generator) }
        let sample = Sample(target: target, isVisited: Int.random(in: 0..<9, using: &generator) > 0)
        store.offer(target.span, isVisited: sample.isVisited, for: thing)
        offers[thing].append(sample)
        guard length % 50 == 0 || length < 4 else { continue }
        #expect(store.samples(thing) == Self.expected(offers[thing]), "seed: \(seed)")
      }
    }
  }

  @Test(arguments: [
    ("/a/b/c", 1, "/a/{*}"), ("/a/b/c", 2, "/a/b/{*}"), ("/a/b/c", 3, "/a/b/c"),
    ("/a/", 1, "/a/"), ("/a/b/", 1, "/a/{*}"), ("/a/b/", 2, "/a/b/"), ("/", 1, "/"),
    ("/a", 1, "/a"), ("//x", 1, "//{*}"), ("", 1, ""), ("/a//", 1, "/a/{*}"),
  ])
  func depthFolds(template: String, depth: Int, expected: String) {
    var bytes = Array(template.utf8)
    PathGrouping.depth(depth).fold(&bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == expected)
  }
}
