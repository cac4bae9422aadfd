internal import CProcessor
internal import Foundations
internal import SystemPackage

// Unsafe code: the tables of the hot loop use these buffers. An array would check for unique
// ownership at each write and for its bounds at each access. Here the type guarantees a unique
// owner, and debug builds, in which the tests run, check bounds. Elements are trivial, so a buffer
// and its owner can move to another thread. That makes the unchecked conformance correct.

/// A growable sequence of trivial elements with exactly one owner.
@safe
struct Buffer<Element: BitwiseCopyable>: ~Copyable {
  fileprivate var base: UnsafeMutablePointer<Element>
  private(set) var capacity: Int
  fileprivate(set) var count = 0

  init(capacity: Int = 16) {
    self.capacity = max(1, capacity)
    let byteCount = self.capacity * MemoryLayout<Element>.stride
    guard let memory = unsafe malloc(byteCount) else {
      endWithoutMemory(asking: byteCount)
    }
    unsafe useLargePages(for: memory, byteCount)
    unsafe base = memory.bindMemory(to: Element.self, capacity: self.capacity)
  }

  init(repeating element: Element, count: Int) {
    self.init(capacity: count)
    unsafe base.initialize(repeating: element, count: count)
    self.count = count
  }

  deinit { unsafe free(base) }

  subscript(index: Int) -> Element {
    @inline(__always) get {
      assert(index >= 0 && index < count)
      return unsafe base[index]
    }
    @inline(__always) set {
      assert(index >= 0 && index < count)
      unsafe base[index] = newValue
    }
  }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { grow(to: count + 1) }
    unsafe (base + count).initialize(to: element)
    count += 1
  }

  mutating func removeLast() -> Element {
    count -= 1
    assert(count >= 0)
    return unsafe base[count]
  }

  /// Removes all elements and keeps the memory.
  mutating func removeAll() { count = 0 }

  /// Calls `body` with the elements at some positions.
  @inline(__always)
  func withElements<Result>(_ range: Range<Int>, _ body: (Span<Element>) -> Result) -> Result {
    assert(range.lowerBound >= 0 && range.upperBound <= count)
    let elements = unsafe UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
    return unsafe body(elements.span)
  }

  /// Prefetches an element into the processor's caches.
  @inline(__always)
  func prefetch(_ index: Int) { unsafe CProcessor.prefetch(base + index) }
}

extension Buffer {
  /// Changes the length of the buffer to `newCount` elements; new ones equal `element`.
  mutating func setCount(_ newCount: Int, filling element: Element) {
    if newCount > capacity { grow(to: newCount) }
    if newCount > count {
      unsafe (base + count).initialize(repeating: element, count: newCount - count)
    }
    count = newCount
  }

  fileprivate mutating func grow(to minimum: Int) {
    let newCapacity = max(minimum, capacity * 2)
    // The system moves the pages of large allocations: nothing is copied, and the memory never
    // doubles.
    let byteCount = newCapacity * MemoryLayout<Element>.stride
    guard let moved = unsafe realloc(base, byteCount) else {
      endWithoutMemory(asking: byteCount)
    }
    unsafe useLargePages(for: moved, byteCount)
    unsafe base = moved.bindMemory(to: Element.self, capacity: newCapacity)
    capacity = newCapacity
  }
}

/// Asks the system to use large pages for memory that is much larger than one.
///
/// A processor caches the addresses of enough of them for a complete table. A look-up then waits
/// for one memory access, not for the page table, too.
private func useLargePages(for memory: UnsafeMutableRawPointer, _ byteCount: Int) {
  #if os(Linux)
  let size = 1 << 21
  guard byteCount >= 2 * size else { return }
  let start = unsafe memory.alignedUp(toMultipleOf: size)
  let length = unsafe (memory + byteCount - start) / size * size
  // A system without them continues with small pages.
  _ = unsafe madvise(start, length, MADV_HUGEPAGE)
  #endif
}

extension Buffer: @unchecked Sendable where Element: Sendable {}

extension Buffer where Element == UInt64 {
  /// Appends bytes, padded with zeros to complete words.
  mutating func append(bytes: Span<UInt8>) {
    let words = (bytes.count + 7) / 8
    if count + words > capacity { grow(to: count + words) }
    if words > 0 { unsafe (base + count + words - 1).initialize(to: 0) }
    unsafe bytes.withUnsafeBufferPointer { source in
      guard let from = source.baseAddress else { return }
      unsafe UnsafeMutableRawPointer(base + count).copyMemory(from: from, byteCount: source.count)
    }
    count += words
  }

  /// Returns a Boolean value indicating whether `bytes` are at a word.
  @inline(__always)
  func holds(_ bytes: Span<UInt8>, atWord start: Int) -> Bool {
    assert(start >= 0 && start * 8 + bytes.count <= count * 8)
    // A function call costs more than comparing a few words.
    if bytes.count >= 8, bytes.count <= 64 {
      var (word, offset) = (start, 0)
      while offset + 8 <= bytes.count {
        if unsafe UInt64(littleEndian: base[word]) != bytes.word(offset) { return false }
        (word, offset) = (word + 1, offset + 8)
      }
      // The rest, together with some bytes before it.
      let last = bytes.count - 8
      return unsafe UInt64(
        littleEndian: UnsafeRawPointer(base + start).loadUnaligned(
          fromByteOffset: last, as: UInt64.self)) == bytes.word(last)
    }
    return unsafe bytes.withUnsafeBufferPointer { other in
      guard let otherBase = other.baseAddress else { return true }
      return unsafe memcmp(base + start, otherBase, other.count) == 0
    }
  }

  /// Calls `body` with the bytes at a word.
  @inline(__always)
  func withBytes<Result>(
    atWord start: Int, length: Int, _ body: (Span<UInt8>) -> Result
  ) -> Result {
    assert(start >= 0 && start * 8 + length <= count * 8)
    let raw = unsafe UnsafeRawBufferPointer(start: base + start, count: length)
    return unsafe raw.withMemoryRebound(to: UInt8.self) { unsafe body($0.span) }
  }
}

extension Buffer where Element == UInt8 {
  @inline(__always)
  mutating func append(contentsOf bytes: Span<UInt8>) {
    if count + bytes.count > capacity { grow(to: count + bytes.count) }
    unsafe bytes.withUnsafeBufferPointer { source in
      guard let from = source.baseAddress else { return }
      unsafe UnsafeMutableRawPointer(base + count).copyMemory(from: from, byteCount: source.count)
    }
    count += bytes.count
  }

  /// Replaces the bytes from a position on.
  @inline(__always)
  mutating func replace(at start: Int, with bytes: Span<UInt8>) {
    assert(start >= 0 && start + bytes.count <= count)
    unsafe bytes.withUnsafeBufferPointer { source in
      guard let from = source.baseAddress else { return }
      unsafe UnsafeMutableRawPointer(base + start).copyMemory(from: from, byteCount: source.count)
    }
  }

  /// Appends a number in as few bytes as it needs; see ``PayloadReader``.
  @inline(__always)
  mutating func append(variableLength number: UInt64) {
    number.forEachVariableLengthByte { append($0) }
  }
}

/// Ends a process that can't allocate more memory, with a message and exit status 2.
private func endWithoutMemory(asking byteCount: Int) -> Never {
  let message =
    "linkaudit: there is not enough memory for a table of \(byteCount >> 10) KiB; lower '--memory' or "
    + "'--jobs', or raise the limit on memory ('ulimit -v')\n"
  _ = try? FileDescriptor.standardError.writeAll(message.utf8)
  _exit(2)
}
