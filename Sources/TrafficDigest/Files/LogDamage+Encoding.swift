internal import AccessLogs

extension LogDamage {
  /// The damage as a value with names.
  var value: NamedValue {
    let kind = kind.code
    return .members([
      "kind": .text(kind.name), "offset": .number(offset),
      "compression": kind.compression.map { .text($0.rawValue) },
      "numbers": kind.numbers.isEmpty ? nil : .list(kind.numbers.map { .number($0) }),
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
    let name = try value.requiredText("kind")
    guard let kind = Kind(KindCode(name, compression, numbers: numbers)) else {
      throw NamedValue.Mismatch()
    }
    self.init(kind, offset: offset)
  }
}
