internal import AccessLogs
internal import Foundations

/// The pages on the same host with the links that requests followed.
struct ReferringPages: ~Copyable {
  /// The templates of the pages' paths.
  private(set) var templates = ByteTable(capacity: 256)

  private let scanner = TemplateScanner()
  private var field: [UInt8] = []
  private var template: [UInt8] = []

  /// Takes all templates.
  mutating func takeTemplates() -> ByteTable {
    exchange(&templates, with: ByteTable(capacity: 256))
  }

  /// A page before its template has been looked up.
  struct Page: BitwiseCopyable {
    /// The kinds of pages.
    enum Kind: UInt8 {
      /// There is no page.
      case none

      /// The template is the text of the path.
      case text

      /// The template has been looked up.
      case number
    }

    var kind = Kind.none

    /// The hash of the template, or its number.
    var hashOrNumber: UInt64 = 0

    /// The position of the template.
    var start: UInt32 = 0
    var length: UInt32 = 0

    static let none = Page()
  }

  /// Finds the template of the path in a referrer, as logged, that begins at `start`.
  ///
  /// If the template is the text of the path, it is not looked up yet.
  @inline(__always)
  mutating func page(in referrer: Span<UInt8>, from start: Int) -> Page {
    // Most paths of pages have no number or the like, so there is nothing to fold.
    guard let end = scanner.endOfTemplate(in: referrer, from: start) else {
      return foldedPage(in: referrer, from: start)
    }
    return Page(
      kind: .text, hashOrNumber: templates.hash.hash(referrer.extracting(start..<end)),
      start: UInt32(truncatingIfNeeded: start), length: UInt32(truncatingIfNeeded: end - start))
  }

  /// Returns the number of a template that is in a text.
  @inline(__always)
  mutating func number(of page: Page, at start: Int, in text: Span<UInt8>) -> UInt32 {
    guard page.kind == .text else { return UInt32(page.hashOrNumber) }
    let template = text.extracting(start..<(start + Int(page.length)))
    return UInt32(templates.insert(template, scope: 0, hash: page.hashOrNumber).id)
  }

  /// Returns the same for a path whose template is another text.
  @inline(never)
  private mutating func foldedPage(in referrer: Span<UInt8>, from start: Int) -> Page {
    guard let folded = scanner.fold(referrer, from: start, into: &template), folded.end > start
    else { return rarePage(in: referrer, from: start) }
    let number = templates.insert(prefix: folded.count, of: template)
    return Page(kind: .number, hashOrNumber: UInt64(number))
  }

  /// Returns the same, step by step, for any path.
  @inline(never)
  private mutating func rarePage(in referrer: Span<UInt8>, from start: Int) -> Page {
    let path = referrer.extracting(start..<AbsoluteURL.pathEnd(in: referrer, from: start))
    template.removeAll(keepingCapacity: true)
    if path.holdsTimeBesideBlank(0..<path.count) {
      // The line is interleaved: this is the next one, with its client.
      template.append(contentsOf: Self.interleavedPage.utf8)
    } else if path.count == 0 {
      template.append(UInt8(ascii: "/"))
    } else if path.firstIndex(of: UInt8(ascii: "\\")) != nil {
      field.removeAll(keepingCapacity: true)
      LogEscapes.append(undoing: path, to: &field)
      // A query can be after an escape, too.
      field.removeLast(field.count - AbsoluteURL.pathEnd(in: field.span, from: 0))
      Self.fold(field, into: &template)
    } else {
      PathTemplate.append(folding: path, to: &template)
    }
    return Page(kind: .number, hashOrNumber: UInt64(templates.insert(template).id))
  }

  /// The page that replaces those of interleaved lines.
  private static let interleavedPage = "/{*}"

  /// Separate, because access to a span of one property overlaps with a change of another.
  private static func fold(_ path: [UInt8], into template: inout [UInt8]) {
    PathTemplate.append(folding: path.span, to: &template)
  }
}
