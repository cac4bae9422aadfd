import TestSupport
import Testing

@testable import TrafficDigest

@Suite struct StorageTests {
  @Test func aByteTableIsASetOfStringsInOrder() {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    var table = ByteTable(capacity: 1)
    var known: [[UInt8]: Int] = [:]
    for _ in 0..<20_000 {
      // Short strings of few letters, so that many repeat.
      let length = Int.random(in: 0...20, using: &generator)
      let bytes = (0..<length).map { _ in UInt8.random(in: 97...98, using: &generator) }
      let scope = UInt32.random(in: 0...1, using: &generator)
      let key = [UInt8(scope)] + bytes
      let (id, isNew) = table.insert(bytes, scope: scope)
      #expect(isNew == (known[key] == nil), "seed: \(seed)")
      #expect(id == known[key, default: table.count - 1])
      known[key] = id
    }
    #expect(table.count == known.count)
    for (key, id) in known {
      #expect(table.array(id) == Array(key.dropFirst()) && table.scope(id) == UInt32(key[0]))
    }
    table.removeAll()
    #expect(table.count == 0)
    let isNew = table.insert([1]).isNew
    #expect(isNew)
  }

  @Test(arguments: [0, 1, 1_000, 300_000, 900_000])
  func aNoteCounterCountsEveryKey(count: Int) {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    var counter = KeyCounter()
    var known: [UInt64: UInt64] = [:]
    for _ in 0..<count {
      // Only a few of the bits differ, as in the keys of counts.
      let key = generator.next() & 0x0000_03FF_0000_003F
      counter.add(key)
      known[key, default: 0] += 1
    }
    let run = counter.finish()
    var previous: UInt64?
    #expect(run.counts.count == known.count, "seed: \(seed)")
    for index in 0..<run.counts.count {
      let count = run.counts[index]
      if known[count.key] != count.count || previous.map({ $0 >= count.key }) ?? false {
        Issue.record("seed: \(seed), key \(count.key)")
        return
      }
      previous = count.key
    }
  }

  @Test func sortingAgreesWithTheStandardLibrary() {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    for mask in [UInt64.max, 0, 1, 0xFFF, 0xF000_0000_0000_000F, 1 << 63] {
      for count in [0, 1, 2, 3, 1_000] {
        let words = (0..<count).map { _ in generator.next() & mask }
        var sorted = Buffer<UInt64>()
        var spare = Buffer<UInt64>()
        for word in words { sorted.append(word) }
        RadixSort.sort(&sorted, spare: &spare)
        let result = (0..<sorted.count).map { sorted[$0] }
        #expect(result == words.sorted(), "seed: \(seed), mask \(mask)")
      }
    }
  }

  /// Sums of a key add up with its single keys, also when there are many of both.
  @Test func sumsAndNotesOfAKeyAddUp() {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    var counter = KeyCounter()
    var known: [UInt64: UInt64] = [:]
    for _ in 0..<700_000 {
      let key = UInt64.random(in: 0..<1_000, using: &generator) << 31
      let count = [1, 1, 2, 1 << 40].randomElement(using: &generator) ?? 1
      counter.add(key, count: UInt64(count))
      known[key, default: 0] += UInt64(count)
    }
    let run = counter.finish()
    let counts = (0..<run.counts.count).map { run.counts[$0] }
    #expect(counts.map(\.key) == known.keys.sorted(), "seed: \(seed)")
    #expect(counts.allSatisfy { known[$0.key] == $0.count }, "seed: \(seed)")
  }

  @Test func aWordTableNumbersWords() {
    var table = WordTable()
    for word in UInt64(0)..<5_000 {
      let number = table.insert(word * 7)
      #expect(number == UInt32(word))
    }
    let again = table.insert(700)
    #expect(again == 100 && table.count == 5_000 && table[100] == 700)
  }

  @Test(arguments: 0...40)
  func hashesDependOnEveryByte(length: Int) {
    let bytes = (0..<length).map { UInt8($0) }
    let hash = ByteHash().hash(bytes.span)
    let (again, inScope) = (
      ByteHash().hash(Array(bytes).span), ByteHash().hash(bytes.span, scope: 1)
    )
    #expect(hash == again && hash != inScope)
    for index in bytes.indices {
      var other = bytes
      other[index] ^= 0x40
      let otherHash = ByteHash().hash(other.span)
      #expect(hash != otherHash)
    }
  }
}
