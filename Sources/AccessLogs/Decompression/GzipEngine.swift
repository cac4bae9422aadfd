/// The libraries that can decompress gzip members.
enum GzipEngine: CaseIterable, Hashable, Sendable {
  /// libz, which is everywhere.
  case libz

  #if ISAL
  /// Intel's ISA-L, which is about twice as fast.
  case isal

  static let preferred = GzipEngine.isal
  #else
  static let preferred = GzipEngine.libz
  #endif

  /// Creates a decoder.
  ///
  /// - Throws: ``LogDamage`` if there is no memory.
  func inflater() throws(LogDamage) -> any Inflater {
    switch self {
    case .libz: try LibzInflater()
    #if ISAL
    case .isal: try IsalInflater()
    #endif
    }
  }
}
