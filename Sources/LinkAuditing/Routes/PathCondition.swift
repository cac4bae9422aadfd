/// What a whole path must be like where that can't be said by its segments.
///
/// Texts are percent-encoded as paths are that they are compared with.
enum PathCondition: Hashable, Sendable {
  case prefix([UInt8])
  case suffix([UInt8])
  case glob(PathGlob)

  /// Returns a Boolean value indicating whether a path is so, with or without slashes at
  /// its end.
  func holds(for path: Span<UInt8>) -> Bool {
    if isFulfilled(by: path) { return true }
    var count = path.count
    while count > 1, path[count - 1] == UInt8(ascii: "/") { count -= 1 }
    return count < path.count && isFulfilled(by: path.extracting(0..<count))
  }

  private func isFulfilled(by path: Span<UInt8>) -> Bool {
    switch self {
    case .prefix(let text): path.holds(text, at: 0)
    case .suffix(let text): path.holds(text, at: path.count - text.count)
    case .glob(let glob): glob.matches(path)
    }
  }
}

/// A pattern of Android's `pathPattern`: `.` stands for any byte, `*` for any number of
/// what stands in front of it, and `\` takes the meaning of what stands behind it.
struct PathGlob: Hashable, Sendable {
  /// A byte, or any if `nil`, once or any number of times.
  struct Atom: Hashable, Sendable {
    var byte: UInt8?
    var isRepeated = false
  }

  private(set) var atoms: [Atom] = []

  /// Places in a pattern are bits of a word; what is longer than this is cut, and its
  /// end taken to let anything pass.
  private static let atomLimit = 62

  /// Reads a pattern.
  init(_ pattern: ArraySlice<UInt8>) {
    var isEscaped = false
    for byte in pattern {
      switch byte {
      // XML writes two for one.
      case UInt8(ascii: "\\"): isEscaped = true
      case UInt8(ascii: "*") where !isEscaped && !atoms.isEmpty:
        atoms[atoms.count - 1].isRepeated = true
      case UInt8(ascii: ".") where !isEscaped: atoms.append(Atom())
      default:
        atoms += RouteText.encoded([byte]).map { Atom(byte: $0) }
        isEscaped = false
      }
    }
    if atoms.count > Self.atomLimit {
      atoms.removeLast(atoms.count - Self.atomLimit + 1)
      atoms.append(Atom(isRepeated: true))
    }
  }

  /// The bytes in front of the first that can be another.
  var literalHead: [UInt8] { atoms.prefix { !$0.isRepeated && $0.byte != nil }.compactMap(\.byte) }

  /// A Boolean value indicating whether anything may stand at the end.
  var endsWithAny: Bool { atoms.last == Atom(isRepeated: true) }

  /// Returns a Boolean value indicating whether a path is like the pattern.
  func matches(_ path: Span<UInt8>) -> Bool {
    // All places where the pattern could stand go forward together.
    var places = closed(1)
    for index in path.indices {
      var next: UInt64 = 0
      for (place, atom) in atoms.enumerated()
      where places >> UInt64(place) & 1 == 1 && (atom.byte == nil || atom.byte == path[index]) {
        next |= 1 << UInt64(atom.isRepeated ? place : place + 1)
      }
      if next == 0 { return false }
      places = closed(next)
    }
    return places >> UInt64(atoms.count) & 1 == 1
  }

  /// The places, and those behind what may stand no time.
  private func closed(_ places: UInt64) -> UInt64 {
    var places = places
    for (place, atom) in atoms.enumerated()
    where atom.isRepeated && places >> UInt64(place) & 1 == 1 {
      places |= 1 << UInt64(place + 1)
    }
    return places
  }
}
