import AccessLogs
import SystemPackage
import TestSupport
import Testing

@testable import TrafficDigest

@Suite struct RunTests {
  static func run(
    _ records: [TargetRecord], names: borrowing ByteTable, in folder: TemporaryFolder
  ) throws -> DigestRun {
    let writer = try DigestWriter(in: folder.path)
    for record in records { try writer.add(record, names: names) }
    return try writer.finish()
  }

  static func targets(
    _ runs: [DigestRun], from lower: TargetKey? = nil, to upper: TargetKey? = nil
  ) throws -> [String] {
    var merge = try RunMerge(TargetSources(runs: runs), from: lower, to: upper)
    var names = ByteTable()
    var targets: [String] = []
    while try merge.next(names: &names) {
      let record = merge.record
      let requests = record.requests.map { "\($0.dimensions):\($0.count)" }
      let visits = record.visits.map {
        "\(names.array($0.template))/\($0.dimensions):\($0.count)"
      }.sorted()
      targets.append("\(record.key.host) \(record.key.target) \(requests) \(visits)")
    }
    return targets
  }

  static func records(
    _ count: Int, names: inout ByteTable, _ generator: inout SeededGenerator
  ) -> [TargetRecord] {
    var keys: Set<[[UInt8]]> = []
    func bytes(_ length: Int) -> [UInt8] {
      (0..<Int.random(in: 0...length, using: &generator)).map { _ in
        generator.pick([0, 0x2F, 0x61, 0x62, 0xFF])
      }
    }
    for _ in 0..<count {
      let prefix = [UInt8](repeating: 0x61, count: generator.pick([0, 7, 300]))
      keys.insert([bytes(1), prefix + bytes(12)])
    }
    var records: [TargetRecord] = []
    for key in keys {
      var record = TargetRecord()
      record.key = TargetKey(host: key[0], target: key[1])
      for _ in 0..<Int.random(in: 0...3, using: &generator) {
        record.requests.append(
          TargetRecord.Requests(
            dimensions: .random(in: 0...9, using: &generator),
            count: .random(in: 1...1_000, using: &generator)))
        record.visits.append(
          TargetRecord.Visits(
            template: names.insert(bytes(3)).id, dimensions: .random(in: 0...2, using: &generator),
            count: 1))
      }
      record.coalesce(names: names)
      records.append(record)
    }
    return records.sorted { $0.key < $1.key }
  }

  @Test func mergingKeepsItsLaws() throws {
    var generator = SeededGenerator()
    let folder = try TemporaryFolder()
    for _ in 0..<20 {
      var names = ByteTable()
      var runs: [DigestRun] = []
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let count = Int.random(in: 0...400, using: &generator)
        let records = Self.records(count, names: &names, &generator)
        runs.append(try Self.run(records, names: names, in: folder))
      }
      let whole = try Self.targets(runs)
      #expect(whole == (try Self.targets(runs.shuffled(using: &generator))))

      let cut = Int.random(in: 0...runs.count, using: &generator)
      let left = try DigestRun.merging(TargetSources(runs: Array(runs[..<cut])), in: folder.path)
      let right = try DigestRun.merging(TargetSources(runs: Array(runs[cut...])), in: folder.path)
      #expect(whole == (try Self.targets([right, left])))

      var keys = runs.flatMap { $0.index.map(\.key) }
      keys.append(TargetKey(host: [0x61], target: [UInt8](repeating: 0x61, count: 280)))
      keys.sort { $0 < $1 }
      let bounds = [nil] + keys.map(Optional.some) + [nil]
      let parts = try zip(bounds, bounds.dropFirst()).flatMap {
        try Self.targets(runs, from: $0, to: $1)
      }
      #expect(whole == parts)
    }
  }

  /// Hosts are counted as in a merge, whichever run is read only in part.
  @Test func hostsAreCountedAsInAMerge() throws {
    var generator = SeededGenerator()
    let folder = try TemporaryFolder()
    for count in [0, 1, 3, 3_000, 6_000] {
      var names = ByteTable()
      var runs: [DigestRun] = []
      for count in [count, 0, 2, 20] {
        let records = Self.records(count, names: &names, &generator)
        runs.append(try Self.run(records, names: names, in: folder))
      }
      var sums: [[UInt8]: (targets: Int, requests: Int)] = [:]
      var merge = try RunMerge(TargetSources(runs: runs))
      var mergedNames = ByteTable()
      while try merge.next(names: &mergedNames) {
        sums[merge.record.key.host, default: (0, 0)].targets += 1
        sums[merge.record.key.host]?.requests += merge.record.requestCount
      }
      let expected = sums.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { host, sum in
        "\(String(decoding: host, as: UTF8.self)) \(sum.targets) \(sum.requests)"
      }
      for main in runs.indices {
        var (found, others) = ([String](), runs)
        others.remove(at: main)
        try runs[main].forEachHost(besides: others) { found.append("\($0) \($1) \($2)") }
        #expect(found == expected)
      }
    }
  }

  @Test func damageIsFoundAndNamed() throws {
    var generator = SeededGenerator(seed: 4)
    let folder = try TemporaryFolder()
    var names = ByteTable()
    let records = Self.records(500, names: &names, &generator)
    for offset in [0, 1, 2, 4, 8, 12, 16, 5_000] {
      let run = try Self.run(records, names: names, in: folder)
      var byte: [UInt8] = []
      try run.file.read(into: &byte, count: 1, at: offset)
      try run.file.write([byte[0] ^ 0xA5], at: offset)
      #expect(throws: DigestFileError.self) { try Self.targets([run]) }
    }
  }

  @Test func aDirectoryThatIsNotThereIsNamed() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(logLine(at: "x").utf8, to: "log")
    var options = ReductionOptions(jobs: 2)
    options.memoryLimit = 0
    options.temporaryDirectory = folder.path + "/missing"
    let error = #expect(throws: DigestFileError.self) {
      try TrafficDigest.reduce([LogInput(path: path)], options: options)
    }
    #expect(error?.path == options.temporaryDirectory && error?.isTemporary == true)
    #expect(error?.reason == .system(.noSuchFileOrDirectory))
  }

  @Test func stringsAreSortedByScopeThenByBytes() {
    var generator = SeededGenerator()
    var table = ByteTable()
    for _ in 0..<3_000 {
      let length = Int.random(in: 0...20, using: &generator)
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...1, using: &generator) }
      _ = table.insert(bytes, scope: .random(in: 0...2, using: &generator))
    }
    let ranks = [1, 2, 0]
    let sorted = table.sortedNumbers(ranks: ranks)
    for index in 1..<sorted.count {
      let (one, other) = (Int(sorted[index - 1]), Int(sorted[index]))
      let (first, second) = (ranks[Int(table.scope(one))], ranks[Int(table.scope(other))])
      let precedes = table.array(one).lexicographicallyPrecedes(table.array(other))
      #expect(first < second || first == second && precedes)
    }
  }
}

@Suite struct StorageTests {
  @Test func aByteTableIsASetOfStringsInOrder() {
    var generator = SeededGenerator()
    var table = ByteTable(capacity: 1)
    var known: [[UInt8]: Int] = [:]
    for _ in 0..<20_000 {
      // Short strings of few letters, so that many repeat.
      let length = Int.random(in: 0...20, using: &generator)
      let bytes = (0..<length).map { _ in UInt8.random(in: 97...98, using: &generator) }
      let scope = UInt32.random(in: 0...1, using: &generator)
      let key = [UInt8(scope)] + bytes
      let (id, isNew) = table.insert(bytes, scope: scope)
      #expect(isNew == (known[key] == nil))
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

  /// Counts some keys, each a number of times or once, as a dictionary does.
  private func checkCounts(
    _ total: Int, _ next: (inout SeededGenerator) -> (key: UInt64, count: UInt64?)
  ) {
    var generator = SeededGenerator()
    var counter = KeyCounter()
    var known: [UInt64: UInt64] = [:]
    for _ in 0..<total {
      let (key, count) = next(&generator)
      if let count { counter.add(key, count: count) } else { counter.add(key) }
      known[key, default: 0] += count ?? 1
    }
    let run = counter.finish()
    let counts = (0..<run.counts.count).map { run.counts[$0] }
    #expect(counts.map(\.key) == known.keys.sorted())
    #expect(counts.allSatisfy { known[$0.key] == $0.count })
  }

  @Test(arguments: [0, 1, 1_000, 300_000, 900_000]) func aNoteCounterCountsEveryKey(count: Int) {
    // Only a few of the bits differ, as in the keys of counts.
    checkCounts(count) { ($0.next() & 0x0000_03FF_0000_003F, nil) }
  }

  @Test func sumsAndNotesOfAKeyAddUp() {
    checkCounts(700_000) { generator in
      let key = UInt64.random(in: 0..<1_000, using: &generator) << 31
      return (key, generator.pick([1, 1, 2, 1 << 40]))
    }
  }

  @Test func sortingAgreesWithTheStandardLibrary() {
    var generator = SeededGenerator()
    for mask in [UInt64.max, 0, 1, 0xFFF, 0xF000_0000_0000_000F, 1 << 63] {
      for count in [0, 1, 2, 3, 1_000] {
        let words = (0..<count).map { _ in generator.next() & mask }
        var sorted = Buffer<UInt64>()
        var spare = Buffer<UInt64>()
        for word in words { sorted.append(word) }
        sorted.sort(spare: &spare)
        let result = (0..<sorted.count).map { sorted[$0] }
        #expect(result == words.sorted(), "mask \(mask)")
      }
    }
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

  @Test(arguments: 0...40) func hashesDependOnEveryByte(length: Int) {
    let bytes = (0..<length).map { UInt8($0) }
    let hash = ByteHash().hash(bytes.span)
    let again = ByteHash().hash(Array(bytes).span)
    let inScope = ByteHash().hash(bytes.span, scope: 1)
    #expect(hash == again && hash != inScope)
    for index in bytes.indices {
      var other = bytes
      other[index] ^= 0x40
      let otherHash = ByteHash().hash(other.span)
      #expect(hash != otherHash)
    }
  }
}
