internal import AccessLogs
internal import Foundations

/// A writer or reader of values in their order, so that one function describes both.
///
/// Numbers have variable length, with the sign in the lowest bit. A text is its length and its
/// bytes. A list is the number of its elements and the elements. An optional value is 0, or 1 and
/// the value. Reading gives anything in place of missing and invalid values, and ``isValid`` becomes
/// false.
struct SummaryCoder {
  /// The bytes that are written or read.
  private(set) var bytes: [UInt8]

  /// The place in the bytes, or `nil` for a writer.
  private var reader: PayloadReader?

  /// A Boolean value indicating whether all values so far could be read.
  private(set) var isValid = true

  private var elementCount = 0

  /// The maximum number of elements in lists.
  ///
  /// They take more memory than their bytes. A summary of ten years with hundreds of kinds of
  /// clients on each day has a million.
  private static let elementLimit = 1 << 22

  /// Creates a writer.
  init() { bytes = [] }

  /// Creates a reader of the first of some bytes.
  init(reading bytes: [UInt8], count: Int) {
    self.bytes = bytes
    reader = PayloadReader(0..<count)
  }

  /// A Boolean value indicating whether all bytes were read, and all values are valid.
  var isComplete: Bool { isValid && reader?.isAtEnd ?? true }

  /// Rejects what was read unless a condition holds.
  mutating func require(_ condition: Bool) {
    if !condition { isValid = false }
  }

  /// Writes or reads a number.
  mutating func code(_ number: inout Int, in range: ClosedRange<Int>) {
    if reader == nil {
      bytes.append(variableLength: UInt64(bitPattern: Int64((number << 1) ^ (number >> 63))))
    } else {
      let word = readNumber()
      number = Int(word >> 1) ^ -Int(word & 1)
      if !range.contains(number) { (number, isValid) = (range.lowerBound, false) }
    }
  }

  /// Writes or reads a text.
  fileprivate mutating func code(text: inout String) {
    if reader == nil {
      bytes.append(variableLength: UInt64(text.utf8.count))
      bytes += text.utf8
    } else {
      let count = readCount()
      let range = reader?.range(count: count) ?? 0..<0
      text = String(decoding: bytes[range], as: UTF8.self)
    }
  }

  /// Writes or reads a value by its name.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - name: The name of the value that is written.
  ///   - find: Returns the value with a name, or `nil` if there is none.
  mutating func code<Value>(_ value: inout Value, named name: String, find: (String) -> Value?) {
    var name = name
    code(text: &name)
    let found = find(name)
    require(found != nil)
    value = found ?? value
  }

  /// Writes or reads the number of elements in a list.
  fileprivate mutating func code(count: inout Int) {
    if reader == nil {
      bytes.append(variableLength: UInt64(count))
    } else {
      count = readCount()
      elementCount += count
      require(elementCount <= Self.elementLimit)
    }
  }

  private mutating func readNumber() -> UInt64 {
    let bytes = bytes
    let number = reader?.number(bytes.span) ?? 0
    require(reader?.isValid ?? false)
    return number
  }

  /// Reads a number of bytes, or of elements of at least one byte, which have to follow.
  private mutating func readCount() -> Int {
    let bytes = bytes
    let count = reader?.count(bytes.span) ?? 0
    require(reader?.isValid ?? false)
    return count
  }
}

/// A type whose values the summary of a digest contains.
protocol SummaryRecord {
  /// A value that is replaced when one is read.
  static var blank: Self { get }

  /// Writes or reads all values of the record in their order.
  mutating func code(_ coder: inout SummaryCoder)
}

extension String: SummaryRecord {
  static var blank: String { "" }

  mutating func code(_ coder: inout SummaryCoder) { coder.code(text: &self) }
}

/// A number that counts something.
extension Int: SummaryRecord {
  static var blank: Int { 0 }

  mutating func code(_ coder: inout SummaryCoder) {
    coder.code(&self, in: DigestSummary.countLimit)
  }
}

extension Array: SummaryRecord where Element: SummaryRecord {
  static var blank: [Element] { [] }

  mutating func code(_ coder: inout SummaryCoder) {
    var count = count
    coder.code(count: &count)
    if count != self.count { self = Array(repeating: .blank, count: coder.isValid ? count : 0) }
    for index in indices where coder.isValid { self[index].code(&coder) }
  }
}

extension Optional: SummaryRecord where Wrapped: SummaryRecord {
  static var blank: Wrapped? { nil }

  mutating func code(_ coder: inout SummaryCoder) {
    var count = self == nil ? 0 : 1
    coder.code(&count, in: 0...1)
    guard count == 1 else { return self = nil }
    var value: Wrapped = self ?? Wrapped.blank
    value.code(&coder)
    self = value
  }
}

extension ClosedRange: SummaryRecord where Bound: SummaryRecord {
  static var blank: Self { .blank ... .blank }

  mutating func code(_ coder: inout SummaryCoder) {
    var (first, last) = (lowerBound, upperBound)
    first.code(&coder)
    last.code(&coder)
    coder.require(first <= last)
    if first <= last { self = first...last }
  }
}

/// A value with a name.
extension SummaryRecord where Self: RawRepresentable<String> {
  mutating func code(_ coder: inout SummaryCoder) {
    coder.code(&self, named: rawValue) { Self(rawValue: $0) }
  }
}

extension LogField: SummaryRecord {
  static var blank: Self { .host }

  mutating func code(_ coder: inout SummaryCoder) {
    coder.code(&self, named: String(describing: self)) { name in
      Self.allCases.first { String(describing: $0) == name }
    }
  }
}

extension RejectionReason: SummaryRecord { static var blank: Self { .emptyLine } }
extension Fetcher: SummaryRecord { static var blank: Self { .other } }
extension FormatReview.Oddity: SummaryRecord { static var blank: Self { .agent } }
