internal import Foundations

/// Unicode simple case folding: one scalar to one scalar, so that `ß` is `ẞ` but
/// never `ss` (Matching.md, 3c.7).
package enum SimpleCaseFolding {
  /// Scalars at regular distances that fold by the same offset.
  private static let runs: [(first: UInt32, last: UInt32, step: UInt32, offset: Int32)] =
    table.split(whereSeparator: \.isWhitespace).map { run in
      let fields = run.split(separator: ",")
      func scalar(_ index: Int) -> UInt32 { UInt32(fields[index], radix: 16) ?? 0 }
      return (scalar(0), scalar(1), scalar(2), Int32(fields[3]) ?? 0)
    }

  /// The scalar that `scalar` folds to, itself for most.
  ///
  /// - Complexity: O(log *n*) in the number of runs beyond ASCII.
  static func fold(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    let value = scalar.value
    if value < 0x80 {
      return (0x41...0x5A).contains(value) ? Unicode.Scalar(UInt8(value + 0x20)) : scalar
    }
    let index = runs.indices.partitioningIndex { runs[$0].last >= value }
    guard index < runs.count, value >= runs[index].first,
      (value - runs[index].first) % runs[index].step == 0
    else { return scalar }
    return Unicode.Scalar(UInt32(Int32(value) + runs[index].offset)) ?? scalar
  }

  /// Returns the folded form of a text, which must be valid UTF-8.
  static func folded(_ text: Span<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(text.count)
    var index = 0
    while index < text.count, text[index] < 0x80 {
      output.append(text[index].asciiLowercased)
      index += 1
    }
    guard index < text.count else { return output }
    let rest = text.extracting(index...).array
    for scalar in String(decoding: rest, as: UTF8.self).unicodeScalars {
      output.append(contentsOf: fold(scalar).utf8)
    }
    return output
  }

  /// The scalars that fold to another one, by that one.
  package static let sources: [Unicode.Scalar: [Unicode.Scalar]] = {
    var sources: [Unicode.Scalar: [Unicode.Scalar]] = [:]
    func add(_ value: UInt32) {
      guard let scalar = Unicode.Scalar(value) else { return }
      sources[fold(scalar), default: []].append(scalar)
    }
    for value in UInt32(0x41)...0x5A { add(value) }
    for run in runs {
      for value in stride(from: run.first, through: run.last, by: Int(run.step)) { add(value) }
    }
    return sources
  }()
}
