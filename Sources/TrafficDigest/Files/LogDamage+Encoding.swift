internal import AccessLogs
internal import SystemPackage

extension LogDamage {
  /// The damage as a value with names.
  var value: NamedValue {
    let (name, compression, numbers): (String, Compression?, [Int]) =
      switch kind {
      case .truncated: ("truncated", nil, [])
      case .shortened: ("shortened", nil, [])
      case .invalidData: ("invalidData", nil, [])
      case .wrongChecksum: ("wrongChecksum", nil, [])
      case .trailingGarbage(let compression): ("trailingGarbage", compression, [])
      case .expansionLimit(let ratio, let length): ("expansionLimit", nil, [ratio, length])
      case .memoryLimit(let needed, let allowed): ("memoryLimit", nil, [needed, allowed])
      case .unsupported(let compression): ("unsupported", compression, [])
      case .archive: ("archive", nil, [])
      case .foreign(let content): (content.rawValue, nil, [])
      case .nested(let compression): ("nested", compression, [])
      case .compressedTail(let compression): ("compressedTail", compression, [])
      case .outOfMemory: ("outOfMemory", nil, [])
      case .system(let error): ("system", nil, [Int(error.rawValue)])
      }
    return .members([
      "kind": .text(name), "offset": .number(offset),
      "compression": compression.map { .text($0.rawValue) },
      "numbers": numbers.isEmpty ? nil : .list(numbers.map { .number($0) }),
    ])
  }

  init(_ value: NamedValue) throws(NamedValue.Mismatch) {
    var numbers: [Int] = []
    for element in try value.elements("numbers") {
      guard case .number(let number) = element else { throw NamedValue.Mismatch() }
      numbers.append(number)
    }
    let compression = try value.text("compression").flatMap { Compression(rawValue: $0) }
    let offset = try value.number("offset", in: 0...Int.max)
    guard let kind = Self.kind(try value.requiredText("kind"), compression, numbers) else {
      throw NamedValue.Mismatch()
    }
    self.init(kind, offset: offset)
  }

  private static func kind(
    _ name: String, _ compression: Compression?, _ numbers: [Int]
  ) -> Kind? {
    switch name {
    case "truncated": .truncated
    case "shortened": .shortened
    case "invalidData": .invalidData
    case "wrongChecksum": .wrongChecksum
    case "trailingGarbage": compression.map { .trailingGarbage(behind: $0) }
    case "expansionLimit":
      numbers.count == 2 ? .expansionLimit(ratio: numbers[0], length: numbers[1]) : nil
    case "memoryLimit":
      numbers.count == 2 ? .memoryLimit(needed: numbers[0], allowed: numbers[1]) : nil
    case "unsupported": compression.map { .unsupported($0) }
    case "archive": .archive
    case "nested": compression.map { .nested($0) }
    case "compressedTail": compression.map { .compressedTail($0) }
    case "outOfMemory": .outOfMemory
    case "system":
      numbers.first.flatMap { CInt(exactly: $0) }.map { .system(Errno(rawValue: $0)) }
    default: ForeignContent(rawValue: name).map { .foreign($0) }
    }
  }
}
