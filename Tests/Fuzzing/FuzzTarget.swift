/// A function of arbitrary bytes, with the properties that must hold.
///
/// A target is a plain function, so that the fuzzer and the tests share it.
struct FuzzTarget: Sendable, CustomStringConvertible {
  let name: String

  /// Seeds made from the package's data: samples, vectors, tests' examples.
  let seeds: @Sendable (SeedSources) throws -> [[UInt8]]

  /// Words with a meaning for the tested code, which the fuzzer inserts.
  let words: [String]

  /// Tests the bytes, some of which may be options.
  ///
  /// - Throws: ``FuzzFailure`` if a property doesn't hold.
  let run: @Sendable ([UInt8]) throws -> Void

  /// Creates a target with the given texts as its first seeds.
  init(
    _ name: String, words: [String] = [], texts: [String] = [],
    seeds: @escaping @Sendable (SeedSources) throws -> [[UInt8]] = { _ in [] },
    run: @escaping @Sendable (inout FuzzInput) throws -> Void
  ) {
    (self.name, self.words) = (name, words)
    self.run = { bytes in
      var input = FuzzInput(bytes)
      try run(&input)
    }
    self.seeds = { try texts.map { Array($0.utf8) } + seeds($0) }
  }

  var description: String { name }

  static let all = links + logs + compressions + digests + dimensions + audits + settings

  static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

struct FuzzFailure: Error, CustomStringConvertible {
  var description: String
}

func require(_ condition: Bool, _ message: @autoclosure () -> String) throws(FuzzFailure) {
  if !condition { throw FuzzFailure(description: message()) }
}

func requireEqual<Value: Equatable>(
  _ one: Value, _ other: Value, _ message: @autoclosure () -> String
) throws(FuzzFailure) {
  if one != other { throw FuzzFailure(description: "\(message()): \(one), and \(other)") }
}

/// Bytes, the first of which determine how the others are used.
struct FuzzInput {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var bytes: [UInt8] { Array(rest) }

  /// Takes a byte; 0 at the end.
  mutating func byte() -> Int { Int(rest.popFirst() ?? 0) }

  /// Takes a number of two bytes, the lowest first.
  mutating func halfWord() -> Int { byte() | byte() << 8 }

  /// Takes some bytes, or fewer at the end.
  mutating func take(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  mutating func choose<Value>(_ values: [Value]) -> Value { values[byte() % values.count] }

  /// Takes the last line, and the line feed before it.
  mutating func lastLine() -> [UInt8] {
    let end = rest.lastIndex(of: UInt8(ascii: "\n"))
    defer { rest = rest[..<(end ?? rest.startIndex)] }
    return Array(rest[(end.map { $0 + 1 } ?? rest.startIndex)...])
  }

  mutating func firstLine() -> [UInt8] {
    let line = rest.prefix { $0 != UInt8(ascii: "\n") }
    rest = rest[line.endIndex...].dropFirst()
    return Array(line)
  }
}

extension [UInt8] {
  var text: String { String(decoding: self, as: UTF8.self) }
}
