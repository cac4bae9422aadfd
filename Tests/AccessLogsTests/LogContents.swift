@testable import AccessLogs

struct LogContents {
  var chunks: [LineChunk] = []
  var lines: [[UInt8]] = []
  var damage: LogDamage?

  /// The number of bytes of the stored log that were read.
  var offset = 0

  init(
    _ input: LogInput, capacity: Int, lineLimit: Int = LogReader.defaultLineLimit,
    expansion: ExpansionLimit = ExpansionLimit(), engine: GzipEngine
  ) {
    var reader = LogReader(input, lineLimit: lineLimit, expansion: expansion)
    reader.engine = engine
    var chunk = LineChunk(capacity: capacity)
    while reader.next(into: &chunk) {
      chunks.append(chunk)
      chunk.withBytes { bytes in
        var position = 0
        while let range = bytes.nextLine(&position) { lines.append(range.map { bytes[$0] }) }
      }
    }
    (damage, offset) = (reader.damage, reader.offset)
  }
}

struct DecodedData: Equatable {
  var bytes: [UInt8] = []
  var damage: LogDamage?
}

/// Neither input nor room for output is used.
struct Standstill: Error {}

extension DecodedData {
  /// Decompresses data in pieces of the sizes that `step` returns, at most `room` bytes at a time,
  /// until there are `limit` bytes.
  init(
    decompressing data: [UInt8], _ compression: Compression, engine: GzipEngine = .libz,
    room: Int, limit: Int = .max, step: () -> Int
  ) throws {
    var buffer = [UInt8](repeating: 0, count: room)
    var (offset, produced) = (0, 0)
    var isStill = false
    do throws(LogDamage) {
      var decoder = try MemberDecoder(compression, engine: engine)
      while offset < data.count || decoder.holdsOutput, bytes.count < limit, !isStill {
        let end = offset + min(data.count - offset, step())
        let held = decoder.holdsOutput
        var output = buffer.mutableSpan
        let used = try decoder.decode(
          data.span.extracting(offset..<end), at: offset, into: &output, produced: &produced)
        isStill = used == 0 && produced == 0 && !held && !decoder.holdsOutput
        offset += used
        bytes += buffer[..<produced]
        produced = 0
      }
      if !decoder.isAtEnd, bytes.count < limit { damage = LogDamage(.truncated, offset: offset) }
    } catch {
      bytes += buffer[..<produced]
      damage = error
    }
    if isStill { throw Standstill() }
  }

  /// Reads a stream, `room` bytes at a time, until there are `limit` bytes.
  init(reading stream: inout DecodedStream, room: Int, limit: Int = .max) {
    var buffer = [UInt8](repeating: 0, count: room)
    var count = 0
    repeat {
      count = 0
      do throws(LogDamage) {
        var output = buffer.mutableSpan
        try stream.read(into: &output, count: &count)
      } catch {
        damage = error
      }
      bytes += buffer[..<count]
    } while damage == nil && count == room && bytes.count < limit
  }
}
