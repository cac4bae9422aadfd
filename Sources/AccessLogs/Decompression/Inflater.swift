/// The progress of a step of decompression.
struct InflateStep {
  /// The next thing in the data.
  enum Outcome {
    /// More of the member.
    case more

    /// The member has ended, and its checksum is right.
    case memberEnd

    /// The member is not valid.
    case failure(LogDamage.Kind)

    /// No member begins where one should.
    case notAMember
  }

  /// The number of input bytes used up; after a failure, the place of the error, which may precede
  /// this input.
  var consumed: Int

  /// The number of bytes of output written.
  var produced: Int

  var outcome: Outcome
}

/// A decoder of one member at a time: what gzip calls a member, zstd a frame, and bzip2 and xz a
/// stream.
///
/// A decoder delivers every byte before damage. The result doesn't depend on where input and output
/// are cut.
protocol Inflater: AnyObject {
  /// Becomes ready for another member.
  ///
  /// - Throws: ``LogDamage`` if there is no memory.
  func reset() throws(LogDamage)

  /// Decodes until the input is used up, the output is full, or the member ends.
  ///
  /// - Parameters:
  ///   - input: Compressed bytes; none to get what had no room in the output.
  ///   - output: Where the decoded bytes go.
  ///   - start: The first position in `output` that is free.
  /// - Returns: How far it came.
  func inflate(
    _ input: Span<UInt8>, into output: inout MutableSpan<UInt8>, from start: Int
  ) -> InflateStep
}
