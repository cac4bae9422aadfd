import AccessLogs
import Foundation
import TestSupport
import Testing

@testable import TrafficDigest

/// Every reader of a digest detects any damage.
@Suite struct DigestDamageTests {
  /// The uses of digests.
  enum Use: CaseIterable {
    case describe
    case report
    case merge
  }

  private static let name = "x.digest"

  /// Opens a digest and uses it.
  private static func use(_ bytes: [UInt8], for use: Use) throws {
    let file = try DigestFile(bytes: bytes, name: name)
    let digest = try TrafficDigest.empty.adding([file], jobs: 1, temporaryDirectory: "/tmp")
    switch use {
    case .describe: try file.verify()
    case .report: _ = try digest.records()
    case .merge: try digest.write(jobs: 1, temporaryDirectory: "/tmp") { _ in }
    }
  }

  /// The reason why a digest can't be used, or `nil` if it can.
  private static func failure(_ bytes: [UInt8], _ use: Use) throws -> DigestFileError? {
    do {
      try self.use(bytes, for: use)
      return nil
    } catch let error as DigestFileError {
      return error
    }
  }

  @Test(arguments: Use.allCases)
  func everyFlippedBitIsFound(use: Use) throws {
    let folder = try TemporaryFolder()
    var bytes = try DigestFileTests.smallDigest(folder)
    try Self.use(bytes, for: use)
    var missed: [Int] = []
    for offset in bytes.indices {
      for bit in 0..<8 {
        bytes[offset] ^= 1 << bit
        if try Self.failure(bytes, use)?.path != Self.name { missed.append(offset * 8 + bit) }
        bytes[offset] ^= 1 << bit
      }
    }
    #expect(missed.isEmpty)
    try Self.use(bytes, for: use)
  }

  @Test(arguments: Use.allCases)
  func everyCutIsFound(use: Use) throws {
    let folder = try TemporaryFolder()
    let whole = try DigestFileTests.smallDigest(folder)
    for count in 0..<whole.count {
      let error = try Self.failure(Array(whole[..<count]), use)
      #expect(error?.path == Self.name, "\(count)")
      #expect(error?.reason == .truncated, "\(count)")
    }
    #expect(try Self.failure(whole + [0x0A], use) != nil)
  }

  /// A digest that was cut within its first bytes isn't read as a log either.
  @Test func everyPrefixIsDetectedAsADigest() throws {
    let folder = try TemporaryFolder()
    let whole = try DigestFileTests.smallDigest(folder)
    for count in 1...60 {
      let path = try folder.write(whole[..<count], to: Self.name)
      #expect(DigestFile.isDigest(path), "\(count)")
      let error = #expect(throws: DigestFileError.self) { try DigestFile(opening: path) }
      #expect(error?.reason == .truncated && error?.path == path, "\(count)")
    }
    #expect(!DigestFile.isDigest(try folder.write([], to: "empty")))
  }

  @Test(arguments: Use.allCases)
  func flippedBitsOfManyBlocksAreFound(use: Use) throws {
    var generator = SeededGenerator()
    let folder = try TemporaryFolder()
    let lines = (0..<15_000).map { number in
      let words = (0..<3).map { _ in
        String(UInt64.random(in: 0...UInt64.max, using: &generator), radix: 36)
      }
      return
        "h 192.0.2.1 - - [0\(number % 7 + 1)/Jun/2026:10:00:00 +0200] "
        + "\"GET /\(words.joined(separator: "/"))/\(number) "
        + "HTTP/1.1\" 200 5 \"-\" \"-\"\n"
    }
    let digest = try TrafficDigest.reduce(
      log: lines.joined().utf8, options: DigestFileTests.options(folder))
    var bytes = try DigestFileTests.bytes(digest, folder)
    #expect(try DigestFile(bytes: bytes, name: Self.name).index.count > 5)
    for _ in 0..<12 {
      let bit = Int.random(in: 0..<(bytes.count * 8), using: &generator)
      bytes[bit / 8] ^= 1 << (bit % 8)
      #expect(try Self.failure(bytes, use)?.path == Self.name, "bit \(bit)")
      bytes[bit / 8] ^= 1 << (bit % 8)
    }
  }

  @Test func filesAreReadAsBytesInMemoryAre() throws {
    var generator = SeededGenerator()
    let folder = try TemporaryFolder()
    let whole = try DigestFileTests.smallDigest(folder)
    for _ in 0..<300 {
      var bytes = whole
      let bit = Int.random(in: 0..<(bytes.count * 8), using: &generator)
      bytes[bit / 8] ^= 1 << (bit % 8)
      let path = try folder.write(bytes, to: Self.name)
      let error = #expect(throws: DigestFileError.self, "bit \(bit)") {
        try DigestFileTests.readWhole(path)
      }
      let expected = try Self.failure(bytes, .report)
      #expect(error?.reason == expected?.reason && error?.offset == expected?.offset)
    }
  }
}
