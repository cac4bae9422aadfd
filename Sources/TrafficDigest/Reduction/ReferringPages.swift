internal import AccessLogs

/// The pages of the same host that requests came from.
struct ReferringPages: ~Copyable {
  /// The templates of the pages' paths.
  private(set) var templates = ByteTable(capacity: 256)

  private let classes = ByteClass.table()
  private var field: [UInt8] = []
  private var template: [UInt8] = []

  /// What a byte of a path can mean for its template.
  private enum ByteClass {
    /// With such a byte, a segment is no number and the like.
    static let literal: UInt8 = 0

    /// Numbers, UUIDs and hexadecimal numbers are made of these.
    static let numeral: UInt8 = 1

    static let slash: UInt8 = 2

    /// A path ends in front of it.
    static let end: UInt8 = 3

    /// A template has to spell it otherwise.
    static let special: UInt8 = 4

    static func table() -> Slab<UInt8> {
      var table = Slab<UInt8>(repeating: literal, count: 256)
      for byte in UInt8.min...UInt8.max where byte.isHexadecimalDigit {
        table[Int(byte)] = numeral
      }
      table[Int(UInt8(ascii: "-"))] = numeral
      table[Int(UInt8(ascii: "/"))] = slash
      for byte in "?#".utf8 { table[Int(byte)] = end }
      for byte in "{}\\".utf8 { table[Int(byte)] = special }
      return table
    }
  }

  /// A page, as it is known before its template has been looked up.
  struct Page: BitwiseCopyable {
    /// The kinds of pages.
    enum Kind: UInt8 {
      /// There is none.
      case none

      /// The template is the text of the path.
      case text

      /// The template has been looked up already.
      case number
    }

    var kind = Kind.none

    /// The hash of the template, or its number.
    var hashOrNumber: UInt64 = 0

    /// Where the template stands.
    var start: UInt32 = 0
    var length: UInt32 = 0

    /// What else the page's visits are counted by; see ``PageKey``.
    var group: UInt32 = 0

    static let none = Page()
  }

  /// Finds the template of the path in a referrer, as logged, that begins at
  /// `start`; it is not looked up yet if it stands in the referrer as it is.
  @inline(__always)
  mutating func page(in referrer: Span<UInt8>, from start: Int) -> Page {
    // Most pages have no number or the like in their path: nothing to fold.
    var (segment, segments, index) = (start, 0, start)
    while true {
      while index < referrer.count, classes[Int(referrer.byte(index))] == ByteClass.numeral {
        index += 1
      }
      let byteClass = index < referrer.count ? classes[Int(referrer.byte(index))] : ByteClass.end
      if byteClass == ByteClass.literal {
        index += 1
        while index < referrer.count, classes[Int(referrer.byte(index))] < ByteClass.slash {
          index += 1
        }
      } else if index > segment || byteClass == ByteClass.special {
        return foldedPage(in: referrer, from: start)
      }
      guard index < referrer.count, classes[Int(referrer.byte(index))] == ByteClass.slash else {
        break
      }
      index += 1
      segment = index
      segments += 1
    }
    guard segments < PathTemplate.segmentLimit, index > start,
      index == referrer.count || classes[Int(referrer.byte(index))] == ByteClass.end
    else { return foldedPage(in: referrer, from: start) }
    return Page(
      kind: .text, hashOrNumber: templates.hash.hash(referrer.extracting(start..<index)),
      start: UInt32(truncatingIfNeeded: start), length: UInt32(truncatingIfNeeded: index - start))
  }

  /// Returns the number of a template that stands in a text.
  @inline(__always)
  mutating func number(of page: Page, at start: Int, in text: Span<UInt8>) -> UInt32 {
    guard page.kind == .text else { return UInt32(page.hashOrNumber) }
    let template = text.extracting(start..<(start + Int(page.length)))
    return UInt32(templates.insert(template, scope: 0, hash: page.hashOrNumber).id)
  }

  /// The same, step by step, whatever the path looks like.
  @inline(never)
  private mutating func foldedPage(in referrer: Span<UInt8>, from start: Int) -> Page {
    let path = referrer.extracting(start..<AbsoluteURL.pathEnd(in: referrer, from: start))
    template.removeAll(keepingCapacity: true)
    if path.count == 0 {
      template.append(UInt8(ascii: "/"))
    } else if path.firstIndex(of: UInt8(ascii: "\\")) != nil {
      field.removeAll(keepingCapacity: true)
      LogEscapes.append(undoing: path, to: &field)
      Self.fold(field, into: &template)
    } else {
      PathTemplate.append(folding: path, to: &template)
    }
    return Page(kind: .number, hashOrNumber: UInt64(templates.insert(template).id))
  }

  /// Apart, because a span of one property and a change of another overlap.
  private static func fold(_ path: [UInt8], into template: inout [UInt8]) {
    PathTemplate.append(folding: path.span, to: &template)
  }
}
