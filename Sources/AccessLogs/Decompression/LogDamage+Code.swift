internal import SystemPackage

extension LogDamage {
  /// The kind of damage as files store it.
  package struct KindCode: Hashable, Sendable {
    /// The name, which never changes.
    package var name: String

    /// The compression that it is about, if any.
    package var compression: Compression?

    /// The numbers that belong to it, in the order of ``LogDamage/Kind``.
    package var numbers: [Int]

    /// Creates a code from its parts.
    package init(_ name: String, _ compression: Compression? = nil, numbers: [Int] = []) {
      (self.name, self.compression, self.numbers) = (name, compression, numbers)
    }
  }

  /// The damage as one text: name, offset, compression and numbers with spaces between them, as
  /// `trailingGarbage 1446 gzip` or `expansionLimit 0 1000 65536`.
  package var code: String {
    let kind = kind.code
    return
      ([kind.name, String(offset)] + [kind.compression?.rawValue].compactMap { $0 }
      + kind.numbers.map { String($0) }).joined(separator: " ")
  }

  /// Creates damage from its ``code``, or returns `nil` if the text is no code.
  package init?(code: String) {
    let words = code.split(separator: " ", omittingEmptySubsequences: false).map { String($0) }
    guard words.count >= 2, let offset = Int(words[1]) else { return nil }
    let compression = words.count > 2 ? Compression(rawValue: words[2]) : nil
    let numbers = words.dropFirst(compression == nil ? 2 : 3).compactMap { Int($0) }
    guard let kind = Kind(KindCode(words[0], compression, numbers: numbers)) else { return nil }
    self.init(kind, offset: offset)
    // No other text has the same meaning.
    if self.code != code { return nil }
  }
}

extension LogDamage.Kind {
  /// The kind as files store it.
  package var code: LogDamage.KindCode {
    switch self {
    case .truncated: .init("truncated")
    case .shortened: .init("shortened")
    case .invalidData: .init("invalidData")
    case .wrongChecksum: .init("wrongChecksum")
    case .trailingGarbage(let compression): .init("trailingGarbage", compression)
    case .expansionLimit(let ratio, let length):
      .init("expansionLimit", numbers: [ratio, length])
    case .memoryLimit(let needed, let allowed): .init("memoryLimit", numbers: [needed, allowed])
    case .unsupported(let compression): .init("unsupported", compression)
    case .archive: .init("archive")
    case .foreign(let content): .init(content.rawValue)
    case .nested(let compression): .init("nested", compression)
    case .compressedTail(let compression): .init("compressedTail", compression)
    case .outOfMemory: .init("outOfMemory")
    case .system(let error): .init("system", numbers: [Int(error.rawValue)])
    }
  }

  /// Creates a kind from its code, or returns `nil` if there is none with that name and such parts.
  package init?(_ code: LogDamage.KindCode) {
    let (numbers, compression) = (code.numbers, code.compression)
    let kind: LogDamage.Kind? =
      switch code.name {
      case "truncated": .truncated
      case "shortened": .shortened
      case "invalidData": .invalidData
      case "wrongChecksum": .wrongChecksum
      case "trailingGarbage": compression.map { .trailingGarbage(after: $0) }
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
      default: ForeignContent(rawValue: code.name).map { .foreign($0) }
      }
    guard let kind else { return nil }
    self = kind
  }
}
