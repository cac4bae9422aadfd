/// Markup under construction.
///
/// Names of elements and attributes come from the source; text and values may come from
/// anywhere, and are always escaped.
struct HTMLWriter {
  typealias Attributes = KeyValuePairs<StaticString, String?>

  private(set) var markup = ""

  /// Writes text, with control and bidirectional characters shown as `\u{…}`.
  mutating func text(_ text: String) { markup += Self.escaped(text) }

  /// Writes an element; attributes without a value are left out.
  mutating func element(
    _ name: StaticString, _ attributes: Attributes = [:],
    _ content: (inout HTMLWriter) -> Void = { _ in }
  ) {
    open(name, attributes)
    content(&self)
    markup += "</\(name)>"
  }

  mutating func element(_ name: StaticString, _ attributes: Attributes, _ text: String) {
    element(name, attributes) { $0.text(text) }
  }

  mutating func element(_ name: StaticString, _ text: String) {
    element(name) { $0.text(text) }
  }

  /// Writes an element that cannot hold anything.
  mutating func void(_ name: StaticString, _ attributes: Attributes = [:]) {
    open(name, attributes)
  }

  /// Writes an element on a line of its own, so that the page can be read and compared.
  mutating func block(
    _ name: StaticString, _ attributes: Attributes = [:], _ content: (inout HTMLWriter) -> Void
  ) {
    element(name, attributes, content)
    markup += "\n"
  }

  mutating func block(_ name: StaticString, _ attributes: Attributes, _ text: String) {
    block(name, attributes) { $0.text(text) }
  }

  mutating func heading(
    _ level: Int, _ attributes: Attributes = [:], _ content: (inout HTMLWriter) -> Void
  ) {
    let name: StaticString =
      switch level {
      case 1: "h1"
      case 2: "h2"
      case 3: "h3"
      case 4: "h4"
      default: "h5"
      }
    block(name, attributes, content)
  }

  mutating func heading(_ level: Int, _ text: String) {
    heading(level) { $0.text(text) }
  }

  mutating func paragraph(_ text: String, class name: String? = nil) {
    block("p", ["class": name], text)
  }

  /// Writes markup that is part of the program, never of its input, without escaping.
  mutating func trusted(_ constant: String) { markup += constant }

  /// Writes JSON in a block that scripts read and browsers don't run.
  mutating func data(_ json: String) {
    trusted("<script type=\"application/json\">\(json)</script>")
  }

  /// Returns a string of JSON for that block, with control and bidirectional characters as `\u{…}`.
  ///
  /// Nothing in it can end the element or begin a comment.
  static func json(_ text: String) -> String {
    var output: [UInt8] = [UInt8(ascii: "\"")]
    for byte in SafeText.escaped(text).utf8 {
      switch byte {
      case UInt8(ascii: "\""): output.append(contentsOf: "\\\"".utf8)
      case UInt8(ascii: "\\"): output.append(contentsOf: "\\\\".utf8)
      case UInt8(ascii: "<"): output.append(contentsOf: "\\u003C".utf8)
      case UInt8(ascii: ">"): output.append(contentsOf: "\\u003E".utf8)
      case UInt8(ascii: "&"): output.append(contentsOf: "\\u0026".utf8)
      default: output.append(byte)
      }
    }
    output.append(UInt8(ascii: "\""))
    return String(decoding: output, as: UTF8.self)
  }

  private mutating func open(_ name: StaticString, _ attributes: Attributes) {
    markup += "<\(name)"
    for (name, value) in attributes {
      guard let value else { continue }
      markup += value.isEmpty ? " \(name)" : " \(name)=\"\(Self.escaped(value))\""
    }
    markup += ">"
  }

  /// Text that means itself, in elements and in attributes between quotation marks.
  static func escaped(_ text: String) -> String {
    let text = SafeText.escaped(text)
    guard text.utf8.contains(where: { entity(for: $0) != nil }) else { return text }
    var output: [UInt8] = []
    for byte in text.utf8 {
      if let entity = entity(for: byte) {
        output.append(contentsOf: entity.utf8)
      } else {
        output.append(byte)
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func entity(for byte: UInt8) -> String? {
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

extension HTMLWriter {
  /// Writes a path, readable, with the encoded form as its title where it differs.
  mutating func path(_ path: String) {
    let shown = ShownText(path: path)
    element("code", ["title": shown.title], shown.text)
  }

  mutating func icon(_ name: String) {
    element("svg", ["class": "icon", "aria-hidden": "true", "width": "16", "height": "16"]) {
      $0.element("use", ["href": "#icon-\(name)"]) { _ in }
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
  private static let titleLimit = 2_000

  init(_ text: String) { self.init(text, as: text) }

  init(path: String, limit: Int = Self.limit) {
    self.init(path, as: SafeText.readable(path), limit: limit)
  }

  private init(_ original: String, as readable: String, limit: Int = Self.limit) {
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
}
