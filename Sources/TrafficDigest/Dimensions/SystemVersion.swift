internal import AccessLogs
internal import Foundations

/// The version of iOS that a user agent names.
struct SystemVersion: Hashable {
  var major: UInt8

  /// The second number, or `nil` if it isn't named.
  var minor: UInt8?

  /// The first version for which Safari names an older system; Safari's own version has the right
  /// number.
  private static let frozen: UInt8 = 26

  /// Reads the version of iOS, or returns `nil` if an agent names none.
  ///
  /// It is in `CPU iPhone OS 17_5_1 like Mac OS X` or, on an iPad, `CPU OS 16_6 like Mac OS X`.
  /// Apps add `iOS/17.1`, `iOS 17.4` or `FBSV/17.4`. From 26 on, it is only in `Version/26.0`. If
  /// there are several, the greatest counts, because a system can name a lower version, but never a
  /// higher one.
  init?(in text: Span<UInt8>) {
    var version: (major: UInt8, end: Int)?
    var previous: UInt8 = 0
    for index in text.indices {
      let byte = text.byte(index)
      // All words with a version end with one of these.
      if byte &- 0x30 < 10,
        UInt8(ascii: " ") == previous || UInt8(ascii: "/") == previous
          || UInt8(ascii: "S") == previous || UInt8(ascii: "(") == previous
          || UInt8(ascii: "_") == previous, let value = Self.number(in: text, at: index),
        value > 0, Self.isVersion(text, index, value)
      {
        if value > version?.major ?? 0 { version = (value, index + (value < 10 ? 1 : 2)) }
      }
      previous = byte
    }
    guard let version else { return nil }
    major = version.major
    minor = Self.number(in: text, after: version.end)
  }

  init(major: UInt8) { self.major = major }

  /// The number of one or two digits that follows a separator, or `nil` if none does.
  static func number(in text: Span<UInt8>, after end: Int) -> UInt8? {
    guard end + 1 < text.count, text[end] == UInt8(ascii: "_") || text[end] == UInt8(ascii: ".")
    else { return nil }
    return number(in: text, at: end + 1)
  }

  /// The number of one or two digits that begins at a position, or `nil` if it has none or more.
  private static func number(in text: Span<UInt8>, at start: Int) -> UInt8? {
    var (value, end) = (0, start)
    while end < text.count, end < start + 3, case let digit = text[end] &- 0x30, digit < 10 {
      value = value * 10 + Int(digit)
      end += 1
    }
    return (1...2).contains(end - start) ? UInt8(value) : nil
  }

  /// Returns a Boolean value indicating whether the number at a position is a version
  /// of iOS, by what precedes it.
  private static func isVersion(_ text: Span<UInt8>, _ index: Int, _ value: UInt8) -> Bool {
    if ends(text, index, with: " OS ") || ends(text, index, with: "FBSV/")
      || ends(text, index, with: ";ov(")
    {
      return true
    }
    if ends(text, index, with: "Version/") { return value >= frozen }
    // After the name, or one byte between them.
    var end = index
    if end > 0, [UInt8(ascii: " "), UInt8(ascii: "/"), UInt8(ascii: "_")].contains(text[end - 1]) {
      end -= 1
    }
    if ends(text, end, with: "iPadOS") { return true }
    // `CriOS/126` is not a system.
    guard ends(text, end, with: "iOS") else { return false }
    return end == 3 || !text[end - 4].isLetter
  }

  private static func ends(_ text: Span<UInt8>, _ end: Int, with word: StaticString) -> Bool {
    text.begins(with: word, at: end - word.utf8CodeUnitCount)
  }
}

/// The features of universal links that a client's system lacks because of its age
/// (Matching.md, 4.3).
public enum SystemAge: UInt8, BitwiseCopyable, CaseIterable, Hashable, Sendable {
  /// The system has all of them, or doesn't name its version.
  case current

  /// iOS 8 and macOS 10.14 and earlier, which have no universal links.
  case beforeUniversalLinks

  /// iOS 13.0 to 13.4, which don't support `caseSensitive` and variables.
  case before13Point5

  /// iOS 13.5 to 13.7, which don't support `percentEncoded` and `defaults`.
  case before14

  /// The name in reports.
  public var name: String { String(describing: self) }

  /// The age of a version of iOS.
  init(ios version: SystemVersion) {
    switch version.major {
    case ...8: self = .beforeUniversalLinks
    case 13: self = version.minor.map { $0 < 5 } ?? false ? .before13Point5 : .before14
    default: self = .current
    }
  }

  /// The age of the version of macOS in the user agent of Safari, which names 10.15 at most.
  init(mac agent: Span<UInt8>) {
    let word: StaticString = "Mac OS X 10"
    if let start = agent.position(of: word),
      let minor = SystemVersion.number(in: agent, after: start + word.utf8CodeUnitCount), minor < 15
    {
      self = .beforeUniversalLinks
    } else {
      self = .current
    }
  }
}
