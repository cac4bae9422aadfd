import TestSupport

@testable import AccessLogs

/// Compressed data: the result doesn't depend on the pieces of input or the room for output.
extension FuzzTarget {
  static let compressions = Codec.all.map(decoder) + [damagedMembers]

  /// The names of targets for libraries that are not in this build.
  static let missingNames = Set(["gzip", "zstd", "bzip2", "xz"]).subtracting(
    Codec.all.map(\.compression.rawValue))

  private static let outputLimit = 1 << 20

  /// The maximum sizes of input and output pieces, then the data.
  private static func decoder(_ codec: Codec) -> FuzzTarget {
    FuzzTarget(
      codec.compression.rawValue,
      seeds: { sources in
        let text = try sources.bytes("SampleLogs/logs/www.access.log").prefix(700)
        let small = codec.member("one\ntwo\n".utf8, blockSize: 5)
        var seeds: [[UInt8]] = [
          small, small + small, small + [0, 0, 0, 0] + small, small.dropLast(3) + [],
          codec.member(text, blockSize: 300), codec.member([UInt8](), blockSize: 1),
        ]
        if codec.compression == .gzip {
          seeds += try sources.paths(below: "SampleLogs", suffix: ".gz").map { path in
            Array(try sources.bytes(path).prefix(1_500))
          }
        }
        return seeds.enumerated().map { [UInt8($0.offset), 11] + $0.element }
      },
      run: { input in
        let (step, room) = (input.byte() + 1, input.byte() + 1)
        let data = input.bytes
        try compareSplits(data, codec.compression, step: step, room: room)
        try compareEngines(data, room: room)
      })
  }

  private static let damagedMembers = FuzzTarget(
    "damaged-members",
    seeds: { sources in
      let text = Array(try sources.bytes("SampleLogs/logs/www.access.log").prefix(400))
      return (0..<8).map { number in
        [UInt8(number), 100, 3, 50, UInt8(number / 4), 30, 0, 1 << UInt8(number)] + text
      }
    },
    run: { input in
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

  @discardableResult
  private static func compareSplits(
    _ data: [UInt8], _ compression: Compression, step: Int, room: Int
  ) throws -> DecodedData {
    let whole = try DecodedData(
      decompressing: data, compression, room: 1 << 16, limit: outputLimit
    ) { data.count + 1 }
    guard whole.bytes.count < 20_000 else { return whole }
    let pieces = try DecodedData(
      decompressing: data, compression, room: room, limit: outputLimit
    ) { step }
    let steps = "steps of \(step), \(room) for output"
    try requireEqual(whole.bytes, pieces.bytes, "\(steps): bytes")
    try requireEqual(whole.damage?.kind, pieces.damage?.kind, "\(steps): damage")
    return whole
  }

  private static func compareEngines(_ data: [UInt8], room: Int) throws {
    let file = try ScratchFile(data)
    for size in [room * 64, LineChunk.defaultCapacity] {
      let reference = read(file.input, .libz, size: size)
      for engine in GzipEngine.allCases where engine != .libz {
        let result = read(file.input, engine, size: size)
        try requireEqual(reference.damage?.kind, result.damage?.kind, "damage by the libraries")
        // Output of earlier reads stays, although libz refuses its source.
        let isLonger = reference.damage?.kind == .invalidData && result.bytes.count >= size
        let count = isLonger ? reference.bytes.count : result.bytes.count
        try requireEqual(
          reference.bytes, Array(result.bytes.prefix(count)), "bytes of the libraries")
      }
    }
  }

  private static func read(_ input: LogInput, _ engine: GzipEngine, size: Int) -> DecodedData {
    do throws(LogDamage) {
      var stream = try DecodedStream(input, engine: engine)
      return DecodedData(reading: &stream, room: size, limit: outputLimit)
    } catch {
      return DecodedData(damage: error)
    }
  }
}
