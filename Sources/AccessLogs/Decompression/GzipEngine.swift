/// The libraries that can decompress gzip members.
enum GzipEngine: CaseIterable, Hashable, Sendable {
  /// libz, which is everywhere.
  case libz

  #if ISAL
  /// Intel's ISA-L, which is about twice as fast. It is loaded when it is first needed.
  case isal

  static let allCases: [GzipEngine] = IsalInflater.library == nil ? [.libz] : [.libz, .isal]
  #endif

  /// The fastest one that this machine has.
  static let preferred = allCases.last ?? .libz

  /// Creates a decoder.
  ///
  /// - Throws: ``LogDamage`` if there is no memory.
  func inflater() throws(LogDamage) -> any Inflater {
    switch self {
    case .libz: return try LibzInflater()
    #if ISAL
    case .isal:
      guard let library = IsalInflater.library else { return try LibzInflater() }
      return try IsalInflater(library)
    #endif
    }
  }
}
