/// Gzip data in memory, decompressed as far as it is valid and the limit allows.
package struct GzipBytes {
  /// The decompressed bytes: all before damage, and at most as many as are allowed.
  package var bytes: [UInt8]

  /// The damage of the data, or `nil`.
  package var damage: LogDamage?

  /// A Boolean value indicating whether there is more data than the limit allows; the rest isn't
  /// checked.
  package var isBeyondLimit: Bool

  /// Decompresses data.
  ///
  /// - Parameters:
  ///   - data: One or more members (RFC 1952).
  ///   - limit: The greatest number of decompressed bytes.
  package init(decompressing data: [UInt8], limit: Int) {
    // One byte more, so that too many are noticed.
    var output = [UInt8](repeating: 0, count: limit + 1)
    var produced = 0
    damage = nil
    do throws(LogDamage) {
      // libz delivers every byte before damage.
      var decoder = try MemberDecoder(.gzip, engine: .libz)
      var free = output.mutableSpan
      _ = try decoder.decode(data.span, at: 0, into: &free, produced: &produced)
      if produced <= limit, !decoder.isAtEnd {
        throw LogDamage(.truncated, offset: data.count)
      }
    } catch {
      damage = error
    }
    isBeyondLimit = produced > limit
    bytes = Array(output.prefix(min(produced, limit)))
  }
}
