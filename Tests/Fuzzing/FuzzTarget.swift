/// What is done with bytes that can be anything, and what has to hold then.
///
/// A target is a plain function, so that the fuzzer and the tests call the same.
struct FuzzTarget: Sendable, CustomStringConvertible {
  /// The name, as the script has it.
  let name: String

  /// Bytes to begin with, made of what the package has: samples, vectors, tests' examples.
  let seeds: @Sendable (SeedSources) throws -> [[UInt8]]

  /// Words that mean something to what is called.
  let words: [String]

  /// Uses the bytes.
  ///
  /// - Throws: ``FuzzFailure`` for what doesn't hold. What isn't input, but stands in
  ///   front of it, such as options, is read from the bytes, too.
  let run: @Sendable ([UInt8]) throws -> Void

  init(
    _ name: String, words: [String] = [],
    seeds: @escaping @Sendable (SeedSources) throws -> [[UInt8]],
    run: @escaping @Sendable ([UInt8]) throws -> Void
  ) {
    (self.name, self.words, self.seeds, self.run) = (name, words, seeds, run)
  }

  var description: String { name }

  static let all =
    links + logs + formats + compressions + digests + dimensions + routing + audits + settings
    + deliveries

  static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// What should hold and doesn't.
struct FuzzFailure: Error, CustomStringConvertible {
  var description: String
}

/// Throws if a condition doesn't hold.
func require(
  _ condition: Bool, _ message: @autoclosure () -> String
) throws(FuzzFailure) {
  if !condition { throw FuzzFailure(description: message()) }
}

/// Throws if two values aren't equal.
func requireEqual<Value: Equatable>(
  _ one: Value, _ other: Value, _ message: @autoclosure () -> String
) throws(FuzzFailure) {
  if one != other { throw FuzzFailure(description: "\(message()): \(one), and \(other)") }
}
