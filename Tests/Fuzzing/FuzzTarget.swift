/// A function of arbitrary bytes, with the properties that must hold.
///
/// A target is a plain function, so that the fuzzer and the tests share it.
struct FuzzTarget: Sendable, CustomStringConvertible {
  /// The name in the script.
  let name: String

  /// Seeds made from the package's data: samples, vectors, tests' examples.
  let seeds: @Sendable (SeedSources) throws -> [[UInt8]]

  /// Words with a meaning for the tested code.
  let words: [String]

  /// Tests the bytes.
  ///
  /// - Throws: ``FuzzFailure`` if a property doesn't hold. Options before the input are read from
  ///   the bytes, too.
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

/// A property that doesn't hold.
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
