/// Markup under construction.
///
/// Names of elements and attributes come from the source; text and values may come from
/// anywhere, and are always escaped.
///
/// The writer is a class, so that the closures for the content of elements, and the types that draw
/// pictures, write to the same page.
final class HTMLWriter {
  typealias Attributes = KeyValuePairs<StaticString, String?>

  private(set) var markup = ""

  /// The greatest number of rows per table.
  let limit: Int

  /// The level of headings, and the end of captions, which differs from those of other sites.
  var level = 2
  var captionEnd = ""

  /// A page of more rows would be too large to be sent.
  private static let rowLimit = 20_000

  init(limit: Int? = nil) { self.limit = limit ?? Self.rowLimit }

  /// Writes text, with control and bidirectional characters shown as `\u{…}`.
  func text(_ text: String) { markup += Self.escaped(text) }

  /// Writes an element; attributes without a value are left out.
  func element(
    _ name: StaticString, _ attributes: Attributes = [:], _ content: () -> Void = {}
  ) {
    open(name, attributes)
    content()
    markup += "</\(name)>"
  }

  func element(_ name: StaticString, _ attributes: Attributes, _ text: String) {
    element(name, attributes) { self.text(text) }
  }

  func element(_ name: StaticString, _ text: String) { element(name, [:], text) }

  /// Writes the start of an element; elements that cannot hold anything have no end.
  func open(_ name: StaticString, _ attributes: Attributes) {
    markup += "<\(name)"
    for (name, value) in attributes {
      guard let value else { continue }
      markup += value.isEmpty ? " \(name)" : " \(name)=\"\(Self.escaped(value))\""
    }
    markup += ">"
  }

  /// Writes an element on a line of its own, so that the page can be read and compared.
  func block(_ name: StaticString, _ attributes: Attributes = [:], _ content: () -> Void) {
    element(name, attributes, content)
    markup += "\n"
  }

  func block(_ name: StaticString, _ attributes: Attributes, _ text: String) {
    block(name, attributes) { self.text(text) }
  }

  func heading(_ level: Int, _ attributes: Attributes = [:], _ content: () -> Void) {
    let names: [StaticString] = ["h1", "h2", "h3", "h4", "h5"]
    block(names[min(level, names.count) - 1], attributes, content)
  }

  func paragraph(_ text: String, class name: String? = nil) { block("p", ["class": name], text) }

  /// Writes markup that is part of the program, never of its input, without escaping.
  func trusted(_ constant: String) { markup += constant }

  /// Writes JSON in a block that scripts read and browsers don't run.
  func data(_ json: String) {
    trusted("<script type=\"application/json\">\(json)</script>")
  }

  /// Returns a string of JSON for that block, with control and bidirectional characters as `\u{…}`.
  ///
  /// Nothing in it can end the element or begin a comment.
  static func json(_ text: String) -> String {
    let content = escaped(text) { byte in
      switch byte {
      case UInt8(ascii: "\""): "\\\""
      case UInt8(ascii: "\\"): "\\\\"
      case UInt8(ascii: "<"): "\\u003C"
      case UInt8(ascii: ">"): "\\u003E"
      case UInt8(ascii: "&"): "\\u0026"
      default: nil
      }
    }
    return "\"" + content + "\""
  }

  /// Text that means itself, in elements and in attributes between quotation marks.
  static func escaped(_ text: String) -> String {
    escaped(text) { byte in
      switch byte {
      case UInt8(ascii: "&"): "&amp;"
      case UInt8(ascii: "<"): "&lt;"
      case UInt8(ascii: ">"): "&gt;"
      case UInt8(ascii: "\""): "&quot;"
      case UInt8(ascii: "'"): "&#39;"
      default: nil
      }
    }
  }

  private static func escaped(_ text: String, _ escape: (UInt8) -> String?) -> String {
    let text = SafeText.escaped(text)
    guard text.utf8.contains(where: { escape($0) != nil }) else { return text }
    var output: [UInt8] = []
    for byte in text.utf8 {
      if let replacement = escape(byte) {
        output += replacement.utf8
      } else {
        output.append(byte)
      }
    }
    return String(decoding: output, as: UTF8.self)
  }
}

extension HTMLWriter {
  /// Writes code, with its whole or encoded form as its title where that differs.
  func code(_ shown: ShownText) { element("code", ["title": shown.title], shown.text) }

  func icon(_ name: String) {
    element("svg", ["class": "icon", "aria-hidden": "true", "width": "16", "height": "16"]) {
      element("use", ["href": "#icon-\(name)"])
    }
  }
}

/// A text as a page shows it, and the value that it represents.
struct ShownText {
  /// The text, shortened in the middle if it is very long.
  let text: String

  /// The text as it was, if that differs.
  let title: String?

  /// The number of characters of a text that are shown; a line of a log may have a million.
  static let limit = 240
  static let messageLimit = 2_000
  private static let titleLimit = 2_000

  init(_ text: String, limit: Int = Self.limit) { self.init(text, as: text, limit: limit) }

  init(path: String, limit: Int = Self.limit) {
    self.init(path, as: SafeText.readable(path), limit: limit)
  }

  private init(_ original: String, as readable: String, limit: Int) {
    let title = Self.shortened(SafeText.escaped(original), to: Self.titleLimit)
    text = Self.shortened(SafeText.escaped(readable), to: limit)
    self.title = text == title ? nil : title
  }

  private static func shortened(_ text: String, to limit: Int) -> String {
    // Few bytes are few characters, and counting them would take longer.
    guard text.utf8.count > limit, text.count > limit else { return text }
    let start = limit * 2 / 3
    return text.prefix(start) + "…" + text.suffix(limit - start - 1)
  }
}

extension Int {
  /// This number's share of a whole as a length in SVG, such as `12.345%`.
  func length(of whole: Int) -> String {
    guard whole > 0 else { return "0" }
    // Rounded in whole numbers, so that it is the same everywhere.
    let (product, overflows) = multipliedReportingOverflow(by: 100_000)
    let (sum, isTooLarge) = product.addingReportingOverflow(whole / 2)
    let thousandths = overflows || isTooLarge ? self / Swift.max(1, whole / 100_000) : sum / whole
    let digits = String(thousandths % 1_000)
    let fraction = String(repeating: "0", count: 3 - digits.utf8.count) + digits
    return "\(thousandths / 1_000).\(fraction)%"
  }

  /// This number of tenths, such as `12.3`.
  var tenths: String { "\(self / 10).\(self % 10)" }
}
