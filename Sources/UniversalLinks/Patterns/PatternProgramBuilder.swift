internal import Foundations

/// Lays out patterns as the positions of a ``PatternProgram``.
struct PatternProgramBuilder {
  /// A pattern to be laid out.
  ///
  /// Its units are bytes, ``any``, ``star``, and further numbers for letters and variables. Each text
  /// that matches has the needed bytes, in lower case if letter case is ignored.
  private typealias Item = (units: [Int32], number: Int32, needed: ByteSet)

  /// The unit for any scalar, and the label of the bytes with which scalars begin.
  static let any: Int32 = 256
  private static let star: Int32 = 257

  /// The first of the numbers for letters, by the scalar that all spellings fold to, and the first
  /// of those for variables.
  private static let (firstLetter, firstVariable): (Int32, Int32) = (258, 258 + 0x11_0000)

  /// The form of the texts; encoded ones are ASCII.
  private let form: TextForm

  /// The positions, each with the label of the bytes that lead to the next one, or -1 if none do, and
  /// the number of its branch.
  private(set) var positions: [(label: Int32, branch: Int32)] = []

  /// The positions that have a star, those whose star belongs to the pattern and not to a value,
  /// those after a `?`, and those where a text that ends there matches.
  private(set) var stars: [Int32] = []
  private(set) var leads: [Int32] = []
  private(set) var afterAny: [Int32] = []
  private(set) var finals: [Int32] = []

  /// The first positions, and the bytes that each text has that matches a pattern that begins there.
  private(set) var starts: [(position: Int32, needed: ByteSet)] = []
  private(set) var links: [(source: Int32, target: Int32)] = []

  /// A part of the patterns that have the same beginning, up to where these differ: its first
  /// position, and the positions of the patterns in ``patterns``.
  typealias Branch = (start: Int32, patterns: Range<Int>)
  private(set) var branches: [Branch] = []

  /// The numbers of the patterns, those with the same beginning one after another.
  var patterns: [Int32] { items.map(\.number) }

  /// The labels: the single bytes, and the sets, whose numbers follow ``any``.
  private(set) var singles = ByteSet()
  private(set) var sets: [ByteSet] = []
  private var labels: [ByteSet: Int32] = [:]

  /// The numbers of the patterns that are too large.
  private(set) var omittedPatterns: Set<Int32> = []

  private var items: [Item] = []

  /// The values of each variable as units, ascending, and a bound on the positions that they need.
  private var variables: [(values: [[Int32]], positionCount: Int)] = []
  private var variableUnits: [ObjectIdentifier: Int32] = [:]

  init(_ form: TextForm) { self.form = form }

  var patternCount: Int { items.count }

  /// Adds a pattern for which no text opens too many levels.
  mutating func add(_ pattern: Pattern, after prefix: [UInt8], number: Int) {
    let units =
      prefix.map(Int32.init) + units(of: pattern.tokens, ignoresCase: pattern.ignoresCase)
    var needed = ByteSet()
    for unit in units {
      if let byte = UInt8(exactly: unit) {
        needed.insert(byte)
      } else if let letter = UInt8(exactly: unit - Self.firstLetter), letter < 0x80,
        form == .encoded || !Self.longLetters.contains(letter)
      {
        needed.insert(letter)
      }
    }
    items.append((units, Int32(number), needed))
  }

  private mutating func units(of tokens: [PatternToken], ignoresCase: Bool) -> [Int32] {
    var units: [Int32] = []
    for token in tokens {
      switch token {
      case .literal(let bytes): units += self.units(of: bytes, ignoresCase: ignoresCase)
      case .anyScalar: units.append(Self.any)
      case .anyRun: units.append(Self.star)
      case .variable(let values): units.append(unit(of: values))
      }
    }
    return units
  }

  private mutating func unit(of variable: VariableValues) -> Int32 {
    if let unit = variableUnits[ObjectIdentifier(variable)] { return unit }
    let unit = Self.firstVariable + Int32(variables.count)
    variableUnits[ObjectIdentifier(variable)] = unit
    let values = variable.values.map { units(of: $0, ignoresCase: variable.ignoresCase) }
    variables.append(
      (Set(values).sorted { $0.lexicographicallyPrecedes($1) }, variable.positionCount))
    return unit
  }

  /// Lays out the added patterns.
  ///
  /// Patterns that begin alike share the positions of their common beginning.
  mutating func layOut(positionsLeft: inout Int) {
    items.sort { $0.units.lexicographicallyPrecedes($1.units) }
    // A work list instead of recursion: patterns can branch as often as a file has bytes.
    var waiting = groups(of: items.indices, from: 0).reversed().map {
      (source: Int32(-1), range: $0, depth: 0)
    }
    while let (source, range, depth) = waiting.popLast() {
      branches.append((next, range))
      if source >= 0 {
        links.append((source, next))
      } else {
        starts.append((next, range.reduce(ByteSet.all) { $0.intersection(items[$1].needed) }))
      }
      // The items are sorted, so what the first and the last share, all do. They don't share their
      // last units.
      let (first, last) = (items[range.lowerBound].units, items[range.upperBound - 1].units)
      let isAlone = range.count == 1
      var (end, isOmitted) = (depth, false)
      while end + (isAlone ? 0 : 1) < min(first.count, last.count), first[end] == last[end] {
        let cost = cost(of: first[end])
        isOmitted = cost > positionsLeft
        if isOmitted { break }
        positionsLeft -= cost
        add(unit: first[end], isLast: end == first.count - 1)
        end += 1
      }
      if isOmitted {
        omittedPatterns.formUnion(items[range].map(\.number))
        add(label: -1)
      } else if isAlone {
        finals.append(next)
        add(label: -1)
      } else {
        let fork = add(label: -1)
        waiting += groups(of: range, from: end).reversed().map { (fork, $0, end) }
      }
    }
  }

  /// Returns a bound on the positions of a unit if it is a variable or a letter with long spellings.
  private func cost(of unit: Int32) -> Int {
    if unit >= Self.firstVariable {
      return variables[Int(unit - Self.firstVariable)].positionCount
    }
    guard unit >= Self.firstLetter, form == .decoded else { return 0 }
    let letter = unit - Self.firstLetter
    return letter >= 0x80 || Self.longLetters.contains(UInt8(letter)) ? 16 : 0
  }

  /// Returns the items of a range, grouped by their next unit.
  ///
  /// Items for which that unit is the last are alone, because a last star or variable matters.
  private func groups(of range: Range<Int>, from depth: Int) -> [Range<Int>] {
    var groups: [Range<Int>] = []
    for index in range {
      let units = items[index].units
      if let last = groups.last, units.count > depth + 1 {
        let first = items[last.lowerBound].units
        if first.count > depth + 1, first[depth] == units[depth] {
          groups[groups.count - 1] = last.lowerBound..<(index + 1)
          continue
        }
      }
      groups.append(index..<(index + 1))
    }
    return groups
  }

  /// Returns the elements of a literal, which is folded if letter case is ignored.
  private func units(of literal: [UInt8], ignoresCase: Bool) -> [Int32] {
    guard ignoresCase else { return literal.map(Int32.init) }
    var units: [Int32] = []
    units.reserveCapacity(literal.count)
    for scalar in String(decoding: literal, as: UTF8.self).unicodeScalars {
      let isLetter =
        scalar.isASCII
        ? (0x61...0x7A).contains(scalar.value)
        : form == .decoded && SimpleCaseFolding.sources[scalar] != nil
      if isLetter {
        units.append(Self.firstLetter + Int32(scalar.value))
      } else {
        units += scalar.utf8.map(Int32.init)
      }
    }
    return units
  }

  /// The letters of ASCII of which some spellings have several bytes.
  private static let longLetters = (UInt8(ascii: "a")...UInt8(ascii: "z")).filter {
    SimpleCaseFolding.sources[Unicode.Scalar($0)]?.contains { !$0.isASCII } == true
  }

  /// Returns a bound on the number of positions that the spellings of folded bytes need, beyond one
  /// for each byte.
  static func spellingCost(of bytes: some Sequence<UInt8>) -> Int {
    bytes.reduce(0) { $0 + ($1 >= 0x80 || longLetters.contains($1) ? 6 : 0) }
  }

  private mutating func add(unit: Int32, isLast: Bool = false) {
    switch unit {
    case ..<Self.any: add(label: unit)
    case Self.any:
      add(label: Self.any)
      afterAny.append(next)
    case Self.star:
      stars.append(next)
      leads.append(next)
      if isLast { finals.append(next) }
    case ..<Self.firstVariable: add(oneOf: [unit])
    default: add(oneOf: variables[Int(unit - Self.firstVariable)].values, isLast: isLast)
    }
  }

  /// Adds one of some bytes and letters, these in any spelling.
  private mutating func add(oneOf units: [Int32]) {
    var (bytes, long) = (ByteSet(), [Unicode.Scalar]())
    for unit in units {
      guard unit >= Self.firstLetter, let letter = Unicode.Scalar(UInt32(unit - Self.firstLetter))
      else {
        bytes.insert(UInt8(unit))
        continue
      }
      for scalar in [letter] + (SimpleCaseFolding.sources[letter] ?? []) {
        if scalar.isASCII {
          bytes.insert(UInt8(scalar.value))
        } else if form == .decoded {
          long.append(scalar)
        }
      }
    }
    let last = bytes == ByteSet() ? long.popLast() : nil
    let fork = long.isEmpty ? -1 : add(label: -1)
    var ends: [Int32] = []
    for scalar in long {
      links.append((fork, next))
      add(scalar)
      ends.append(add(label: -1))
    }
    if fork >= 0 { links.append((fork, next)) }
    if let last { add(last) } else { add(label: label(for: bytes)) }
    for end in ends { links.append((end, next)) }
  }

  private mutating func label(for set: ByteSet) -> Int32 {
    if let label = labels[set] { return label }
    sets.append(set)
    let label = Self.any + Int32(sets.count)
    labels[set] = label
    return label
  }

  private mutating func add(_ scalar: Unicode.Scalar) {
    for byte in String(scalar).utf8 { add(label: Int32(byte)) }
  }

  private var next: Int32 { Int32(positions.count) }

  @discardableResult private mutating func add(label: Int32) -> Int32 {
    if let byte = UInt8(exactly: label) { singles.insert(byte) }
    positions.append((label, Int32(branches.count - 1)))
    return next - 1
  }

  /// Adds one of the values of a variable, which share the positions of their common beginnings.
  private mutating func add(oneOf values: [[Int32]], isLast: Bool) {
    // After a star of the pattern, a star of the value is tried only if input is left.
    if stars.last == next, values.first?.first == Self.star {
      links.append((add(label: -1), next))
    }
    let begin = next
    var ends: [Int32] = []
    // A work list instead of recursion: a value can be as long as a file.
    var waiting = [(source: Int32(-1), range: values.indices, depth: 0)]
    while let (source, range, start) = waiting.popLast() {
      if source >= 0 { links.append((source, next)) }
      // The values are sorted, so what the first and the last share, all do.
      let (first, last) = (values[range.lowerBound], values[range.upperBound - 1])
      var depth = start
      while depth < first.count, first[depth] == last[depth] {
        if first[depth] == Self.star { stars.append(next) } else { add(unit: first[depth]) }
        depth += 1
      }
      let isEnd = depth == first.count
      let isFinal = isLast && isEnd && first.last == Self.star
      if isFinal { finals.append(next) }
      if !isEnd, range.allSatisfy({ values[$0].count == depth + 1 && isOne(values[$0][depth]) }) {
        // Values that differ in one byte need no links.
        add(oneOf: range.map { values[$0][depth] })
      } else if range.count > 1 {
        let fork = add(label: -1)
        if isEnd { ends.append(fork) }
        var rest = range.dropFirst(isEnd ? 1 : 0)
        while let first = rest.first {
          let group = rest.prefix { values[$0][depth] == values[first][depth] }
          waiting.append((fork, group.startIndex..<group.endIndex, depth))
          rest = rest[group.endIndex...]
        }
        continue
      } else if isFinal {
        // A star at the very end leaves nothing to match.
        add(label: -1)
        continue
      }
      // A single way needs no links, but after a star, an empty value is tried only if input is left.
      if ends.isEmpty, waiting.isEmpty, next > begin { return }
      ends.append(add(label: -1))
    }
    for end in ends { links.append((end, next)) }
  }

  /// Whether a unit is a byte or a letter.
  private func isOne(_ unit: Int32) -> Bool { unit < Self.any || unit >= Self.firstLetter }

  /// Returns about the number of positions that tokens need if they share none.
  static func positionCount(of tokens: [PatternToken], ignoresCase: Bool) -> Int {
    tokens.reduce(2) { count, token in
      switch token {
      case .literal(let bytes):
        count + bytes.count + (ignoresCase ? spellingCost(of: bytes) : 0)
      case .anyScalar, .anyRun: count + 1
      case .variable(let values): count + values.positionCount
      }
    }
  }
}

// MARK: - Bytes

struct ByteSet: Hashable, Sendable {
  private var bits = SIMD4<UInt64>()

  static let all = ByteSet(bits: SIMD4(repeating: .max))

  mutating func insert(_ byte: UInt8) { bits[Int(byte >> 6)] |= 1 << UInt64(byte & 63) }

  func intersection(_ other: ByteSet) -> ByteSet {
    var set = self
    set.bits &= other.bits
    return set
  }

  mutating func formUnion(_ other: ByteSet) { bits |= other.bits }

  func isSubset(of other: ByteSet) -> Bool { bits & ~other.bits == SIMD4<UInt64>() }

  func contains(_ byte: UInt8) -> Bool { bits[Int(byte >> 6)] >> UInt64(byte & 63) & 1 == 1 }
}

extension ByteSet {
  /// The bytes of a text, with letters in lower case, too.
  init(_ text: Span<UInt8>) {
    self.init()
    for index in text.indices {
      insert(text[index])
      insert(text[index].asciiLowercased)
    }
  }
}

extension PatternProgram {
  /// Returns the coarsest classes of bytes that no label splits.
  ///
  /// - Parameters:
  ///   - singles: The single bytes that are labels.
  ///   - sets: The labels after ``PatternProgramBuilder/any``.
  /// - Returns: The class of each byte, the number of classes, and the classes of each label.
  static func classes(
    singles: ByteSet, sets: [ByteSet]
  ) -> (ofBytes: [UInt8], count: Int, ofLabels: [[Int]]) {
    let bytes: ClosedRange<UInt8> = 0...255
    // A `?` distinguishes the first byte of a scalar from the others.
    var classes = bytes.map { singles.contains($0) ? 2 + Int($0) : $0 & 0xC0 == 0x80 ? 1 : 0 }
    var count = 0
    // Each set divides the classes that are partly in it; the first one only numbers them.
    for set in [ByteSet()] + sets {
      var numbers = [Int](repeating: -1, count: 2 * (2 + bytes.count))
      count = 0
      for byte in bytes {
        let key = 2 * classes[Int(byte)] + (set.contains(byte) ? 1 : 0)
        if numbers[key] < 0 {
          numbers[key] = count
          count += 1
        }
        classes[Int(byte)] = numbers[key]
      }
    }
    func members(_ isIncluded: (UInt8) -> Bool) -> [Int] {
      var isMember = [Bool](repeating: false, count: count)
      for byte in bytes where isIncluded(byte) { isMember[classes[Int(byte)]] = true }
      return isMember.indices.filter { isMember[$0] }
    }
    let membersOfSets = sets.map { set in members { set.contains($0) } }
    return (
      classes.map { UInt8($0) }, count,
      classes.map { [$0] } + [members { $0 & 0xC0 != 0x80 }] + membersOfSets
    )
  }
}
