import TestSupport

@testable import AccessLogs

/// Compressed data: the result doesn't depend on the pieces of input or the room for output.
extension FuzzTarget {
  static let compressions = Codec.all.map(decoder) + [damagedMembers]

  /// The names of targets for libraries that are not in this build.
  static let missingNames = Set(["gzip", "zstd", "bzip2", "xz"]).subtracting(
    Codec.all.map(\.compression.rawValue))

  /// The maximum number of decoded bytes.
  private static let outputLimit = 1 << 20

  /// The maximum sizes of input and output pieces, then the data.
  private static func decoder(_ codec: Codec) -> FuzzTarget {
    FuzzTarget(
      codec.compression.rawValue,
      seeds: { sources in
        let text = Array(try sources.bytes("SampleLogs/logs/www.access.log").prefix(700))
        let small = codec.member("one\ntwo\n".utf8, blockSize: 5)
        var seeds = [small, small + small, small + [0, 0, 0, 0] + small, small.dropLast(3) + []]
        seeds.append(codec.member(text, blockSize: 300))
        seeds.append(codec.member([UInt8](), blockSize: 1))
        if codec.compression == .gzip {
          seeds += try sources.paths(below: "SampleLogs", suffix: ".gz").map { path in
            Array(try sources.bytes(path).prefix(1_500))
          }
        }
        return seeds.enumerated().map { [UInt8($0.offset), 11] + $0.element }
      },
      run: { bytes in
        var input = FuzzInput(bytes)
        let (step, room) = (input.byte() + 1, input.byte() + 1)
        let data = input.bytes
        try compareSplits(data, codec.compression, step: step, room: room)
        try compareEngines(data, room: room)
      })
  }

  /// A member with changes at some places.
  private static let damagedMembers = FuzzTarget(
    "damaged-members",
    seeds: { sources in
      let text = Array(try sources.bytes("SampleLogs/logs/www.access.log").prefix(400))
      return (0..<8).map { number in
        [UInt8(number), 100, 3, 50, UInt8(number / 4), 30, 0, 1 << UInt8(number)] + text
      }
    },
    run: { bytes in
      var input = FuzzInput(bytes)
      let codec = input.choose(Codec.all)
      let (blockSize, step, room) = (input.byte() + 1, input.byte() + 1, input.byte() + 1)
      let edits = (0..<(input.byte() % 8)).map { _ in (input.halfWord(), input.byte()) }
      let text = input.bytes
      let whole = codec.member(text, blockSize: max(blockSize, text.count / 20))
      var damaged = whole
      for (place, bits) in edits { damaged[place % damaged.count] ^= UInt8(bits) }
      let found = try compareSplits(damaged, codec.compression, step: step, room: room)
      if damaged == whole {
        try requireEqual(found.bytes, text, "what was compressed")
        try require(found.damage == nil, "damage that isn't there")
      }
      try compareEngines(damaged, room: room)
    })

  private struct Decoded: Equatable {
    var bytes: [UInt8] = []
    var damage: LogDamage.Kind?
  }

  /// Decodes data at once and in pieces.
  @discardableResult
  private static func compareSplits(
    _ data: [UInt8], _ compression: Compression, step: Int, room: Int
  ) throws(FuzzFailure) -> Decoded {
    let whole = try decode(data, compression, step: data.count + 1, room: 1 << 16)
    guard whole.bytes.count < 20_000 else { return whole }
    let pieces = try decode(data, compression, step: step, room: room)
    try requireEqual(whole.bytes, pieces.bytes, "steps of \(step), \(room) for output: bytes")
    try requireEqual(whole.damage, pieces.damage, "steps of \(step), \(room) for output: damage")
    return whole
  }

  private static func decode(
    _ data: [UInt8], _ compression: Compression, step: Int, room: Int
  ) throws(FuzzFailure) -> Decoded {
    var decoded = Decoded()
    var buffer = [UInt8](repeating: 0, count: room)
    var offset = 0
    var produced = 0
    do throws(LogDamage) {
      var decoder = try MemberDecoder(compression, engine: .libz)
      while offset < data.count || decoder.holdsOutput, decoded.bytes.count < outputLimit {
        produced = 0
        let piece = data.span.extracting(offset..<min(offset + step, data.count))
        var output = buffer.mutableSpan
        let held = decoder.holdsOutput
        let used = try decoder.decode(piece, at: offset, into: &output, produced: &produced)
        if used == 0, produced == 0, !held, decoder.holdsOutput == held {
          throw LogDamage(.outOfMemory, offset: -1)
        }
        offset += used
        decoded.bytes += buffer[..<produced]
      }
      if !decoder.isAtEnd, decoded.bytes.count < outputLimit {
        throw LogDamage(.truncated, offset: offset)
      }
      return decoded
    } catch {
      if error.offset == -1 { throw FuzzFailure(description: "decoding stands still") }
      if produced > 0, error.kind != .truncated { decoded.bytes += buffer[..<produced] }
      decoded.damage = error.kind
      return decoded
    }
  }

  /// Reads a file with each library for gzip.
  private static func compareEngines(_ data: [UInt8], room: Int) throws {
    let file = try ScratchFile(data)
    for size in [room * 64, LineChunk.defaultCapacity] {
      let reference = try read(file.input, .libz, size: size)
      for engine in GzipEngine.allCases where engine != .libz {
        let result = try read(file.input, engine, size: size)
        try requireEqual(reference.damage, result.damage, "damage of the libraries for gzip")
        if reference.damage == .invalidData, result.bytes.count >= size {
          // Output of earlier reads stays, although libz refuses its source.
          let start = Array(result.bytes.prefix(reference.bytes.count))
          try requireEqual(reference.bytes, start, "first bytes of the libraries for gzip")
        } else {
          try requireEqual(reference.bytes, result.bytes, "bytes of the libraries for gzip")
        }
      }
    }
  }

  private static func read(_ input: LogInput, _ engine: GzipEngine, size: Int) throws -> Decoded {
    var decoded = Decoded()
    var buffer = [UInt8](repeating: 0, count: size)
    var count = 0
    do throws(LogDamage) {
      var stream = try DecodedStream(input, engine: engine)
      var offset = 0
      repeat {
        count = 0
        var output = buffer.mutableSpan
        try stream.read(into: &output, count: &count, offset: &offset)
        decoded.bytes += buffer[..<count]
      } while count == buffer.count && decoded.bytes.count < outputLimit
    } catch {
      decoded.bytes += buffer[..<count]
      decoded.damage = error.kind
    }
    return decoded
  }
}
