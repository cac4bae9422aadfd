/// The maximum number of bytes that compressed data may decompress to.
///
/// If the size of a file is known, the complete size counts from the beginning on: a log can begin
/// with a megabyte of zeros. Otherwise, the blocks read so far count, so that the sizes of reads
/// don't matter.
public struct ExpansionLimit: Hashable, Sendable {
  /// The default of the maximum decompression ratio.
  public static let defaultRatio = 1_000

  /// The number of decompressed bytes that are always allowed.
  public static let leastLength = 1 << 16

  /// The maximum decompression ratio.
  public var ratio: Int

  /// Creates a limit.
  public init(ratio: Int = ExpansionLimit.defaultRatio) { self.ratio = max(1, ratio) }

  /// The greatest number of decompressed bytes of data.
  ///
  /// - Parameter size: The number of bytes of the data as it is stored.
  /// - Returns: The number.
  public func length(ofSize size: Int) -> Int {
    let (length, isTooMuch) = ratio.multipliedReportingOverflow(by: size)
    return isTooMuch ? .max : max(Self.leastLength, length)
  }

  /// The size of the blocks in which data of unknown size counts.
  ///
  /// The first bytes bring no more than is allowed anyway.
  private static let firstBlock = 64
  private static let block = 4_096

  /// The end of the block that a byte is in.
  ///
  /// - Parameter offset: The position of the byte.
  /// - Returns: The position after the last byte of the block.
  static func blockEnd(at offset: Int) -> Int {
    let length = offset < block ? firstBlock : block
    return (offset / length + 1) * length
  }
}
