import TestSupport
import Testing

@testable import TrafficDigest

@Suite struct StorageTests {
  @Test func aByteTableIsASetOfStringsInOrder() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    var table = ByteTable(capacity: 1)
    var known: [[UInt8]: Int] = [:]
    for _ in 0..<20_000 {
      // Short strings of few letters, so that many come again.
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

  @Test func aTargetTableCountsEveryCombination() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    var table = TargetTable()
    var known: [[UInt64]: UInt64] = [:]
    for _ in 0..<50_000 {
      let target = UInt64.random(in: 0..<200, using: &generator)
      let dimensions = UInt64.random(in: 0..<20, using: &generator)
      let referrer = UInt64.random(in: 0..<4, using: &generator)
      table.add(
        Array("/\(target)".utf8), host: UInt32(target % 2), dimensions: dimensions,
        referrer: UInt32(referrer))
      known[[target, dimensions, referrer], default: 0] += 1
    }
    #expect(table.count == 200)
    var cells = 0
    for id in 0..<table.count {
      let target = UInt64(String(decoding: table.targets.array(id).dropFirst(), as: UTF8.self)) ?? 0
      table.forEachCell(of: id) { cell in
        cells += 1
        #expect(
          known[[target, cell.dimensions, UInt64(cell.referrer)]] == cell.count, "seed: \(seed)")
      }
    }
    #expect(cells == known.count)
  }

  @Test(arguments: 0...40)
  func hashesDependOnEveryByte(length: Int) {
    let bytes = (0..<length).map { UInt8($0) }
    let hash = ByteHash.hash(bytes.span)
    let (again, inScope) = (ByteHash.hash(Array(bytes).span), ByteHash.hash(bytes.span, scope: 1))
    #expect(hash == again && hash != inScope)
    for index in bytes.indices {
      var other = bytes
      other[index] ^= 0x40
      let otherHash = ByteHash.hash(other.span)
      #expect(hash != otherHash)
    }
  }
}
