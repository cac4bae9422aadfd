package import Foundations

/// A URL for matching: its path, query and fragment in the forms that rules are compared with.
///
/// A value can be reused for one URL after another. It then reuses its memory, so setting a log's
/// targets doesn't allocate.
///
///     var url = LinkURL("https://example.com/buy/42", host: "example.com")
public struct LinkURL: Sendable {
  /// The reason why a URL can never open an app, whatever the rules are (Matching.md, 5).
  public enum Ineligibility: String, Hashable, Sendable {
    /// It isn't a URL with the scheme `http` or `https`.
    case notHTTP

    /// It has no host, or one without a full stop.
    case hostWithoutDomain

    /// Its host differs from the host of the association file.
    case otherHost

    /// Its port is not the default one of its scheme.
    case foreignPort
  }

  /// The reason why the URL can't open an app, or `nil` if the rules decide.
  public private(set) var ineligibility: Ineligibility?

  var path = ComponentText(isPath: true)
  var query = ComponentText()
  var fragment = ComponentText()

  /// The items of the query that have been asked for, by form.
  private var knownItems: [TextForm: [Item]] = [:]

  /// The memory for an item that is being decoded.
  private var decodedItem: Item = ([], [])

  /// The name and the value of an item of the query.
  typealias Item = (name: [UInt8], value: [UInt8])

  /// Creates a URL with the path `/`.
  public init() { setTarget([UInt8(ascii: "/")].span) }

  /// Parses a URL.
  ///
  /// - Parameters:
  ///   - text: The URL.
  ///   - host: The host of the association file, `*.` and a domain for all hosts below it, or `nil`
  ///     for any host.
  public init(_ text: String, host: String? = nil) { self.init(Array(text.utf8), host: host) }

  /// Parses the bytes of a URL, which need not be UTF-8.
  ///
  /// - Parameters:
  ///   - bytes: The URL.
  ///   - host: The host of the association file, `*.` and a domain for all hosts below it, or `nil`
  ///     for any host.
  public init(_ bytes: [UInt8], host: String? = nil) { set(bytes, in: host.map { HostScope($0) }) }

  /// Replaces the URL by another one, and reuses its memory.
  package mutating func set(_ bytes: [UInt8], in scope: HostScope?) {
    let text = bytes.span
    guard let parts = URLParts(text) else {
      ineligibility = .notHTTP
      return
    }
    path.set(text.extracting(parts.target.path))
    query.set(text.extracting(parts.target.query))
    fragment.set(text.extracting(parts.target.fragment))
    // A fragment can't hold another '#' (RFC 3986, 3.5).
    if fragment.encodedSource.contains(UInt8(ascii: "#")) {
      let encoded = fragment.encodedSource.flatMap {
        $0 == UInt8(ascii: "#") ? Array("%23".utf8) : [$0]
      }
      fragment.set(encoded.span)
    }
    forgetItems()
    ineligibility = parts.ineligibility(in: text, scope)
  }

  /// Replaces path and query by those of a request target in origin form, such as
  /// `/buy/42?ref=mail`, and removes the fragment, which servers never see.
  ///
  /// The URL is eligible from then on.
  ///
  /// - Parameter target: The target.
  /// - Returns: The length of the path in the target if ``encodedPath`` has the same bytes, or
  ///   `nil`.
  @discardableResult public mutating func setTarget(_ target: Span<UInt8>) -> Int? {
    let parts = TargetParts(target)
    path.set(target.extracting(parts.path))
    query.set(target.extracting(parts.query))
    fragment.set(target.extracting(0..<0))
    forgetItems()
    ineligibility = nil
    // Encoding only ever adds bytes.
    return path.encodedSource.count == parts.path.count ? parts.path.count : nil
  }

  /// The URL with escapes encoded again, or `nil` if that changes nothing.
  ///
  /// Only components that also have characters that a URL cannot hold are encoded again. Which of
  /// the two happens to a tapped link is unknown (Matching.md, 3.3).
  var withEscapesEncodedAgain: LinkURL? {
    var other = self
    let changes = [
      other.path.encodeEscapesAgain(), other.query.encodeEscapesAgain(),
      other.fragment.encodeEscapesAgain(),
    ]
    guard changes.contains(true) else { return nil }
    other.forgetItems()
    return other
  }
}

extension LinkURL {
  /// The path as the URL spells it, with bytes that a URL cannot hold percent-encoded.
  ///
  /// It is not normalized, and empty if the URL has no path.
  public var encodedPath: [UInt8] { path.encodedSource }

  /// The query without its `?`, as the URL spells it.
  public var encodedQuery: [UInt8] { query.encodedSource }

  /// Calls `body` with the name and the value of each of the query's items in a form (Matching.md,
  /// 3b.2).
  @inline(__always)
  mutating func forEachItem(
    _ form: TextForm, _ body: (_ name: Span<UInt8>, _ value: Span<UInt8>) -> Void
  ) {
    if query.isEmpty { return }
    guard form == .decoded, query.hasEscapes else {
      return query.encodedSource.span.forEachQueryItem(body)
    }
    // The query is split before anything is decoded.
    var item: Item = ([], [])
    swap(&item, &decodedItem)
    query.encodedSource.span.forEachQueryItem { name, value in
      item.name.removeAll(keepingCapacity: true)
      item.value.removeAll(keepingCapacity: true)
      PercentEncoding.append(decoding: name, to: &item.name)
      PercentEncoding.append(decoding: value, to: &item.value)
      body(item.name.span, item.value.span)
    }
    swap(&item, &decodedItem)
  }

  /// The names and the values of the query's items in a form, which are kept for further rules.
  mutating func items(_ form: TextForm) -> [Item] {
    if let items = knownItems[form] { return items }
    var items: [Item] = []
    forEachItem(form) { name, value in items.append((name.array, value.array)) }
    knownItems[form] = items
    return items
  }

  private mutating func forgetItems() {
    if !knownItems.isEmpty { knownItems = [:] }
  }
}

/// The positions of path, query and fragment in the text of a URL (RFC 3986, 3).
struct TargetParts {
  let path: Range<Int>
  let query: Range<Int>
  let fragment: Range<Int>

  init(_ text: Span<UInt8>, from start: Int = 0) {
    let fragmentMark = text.firstIndex(of: UInt8(ascii: "#"), from: start) ?? text.count
    let queryMark =
      text.firstIndex(of: UInt8(ascii: "?"), from: start, to: fragmentMark) ?? fragmentMark
    path = start..<queryMark
    query = min(queryMark + 1, fragmentMark)..<fragmentMark
    fragment = min(fragmentMark + 1, text.count)..<text.count
  }
}

/// The positions of an http URL's parts in its text (RFC 3986, 3).
struct URLParts {
  private var isSecure: Bool
  private var host: Range<Int>
  private var port: Range<Int>?
  let target: TargetParts

  /// Finds the parts of a text with the scheme `http` or `https` and an authority.
  init?(_ text: Span<UInt8>) {
    // `http://` and `https://` in any letter case. Compare bytes only, because millions of URLs are
    // read.
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")), colon == 4 || colon == 5,
      text[0].asciiLowercased == UInt8(ascii: "h"), text[1].asciiLowercased == UInt8(ascii: "t"),
      text[2].asciiLowercased == UInt8(ascii: "t"), text[3].asciiLowercased == UInt8(ascii: "p"),
      colon == 4 || text[4].asciiLowercased == UInt8(ascii: "s"),
      text.begins(with: "//", at: colon + 1)
    else { return nil }
    isSecure = colon == 5
    let start = colon + 3
    var authorityEnd = start
    while authorityEnd < text.count, !text[authorityEnd].endsAuthority { authorityEnd += 1 }
    let hostStart =
      text.lastIndex(of: UInt8(ascii: "@"), from: start, to: authorityEnd).map { $0 + 1 } ?? start
    if let portColon = text.lastIndex(of: UInt8(ascii: ":"), from: hostStart, to: authorityEnd),
      text.firstIndex(of: UInt8(ascii: "]"), from: portColon, to: authorityEnd) == nil
    {
      host = hostStart..<portColon
      port = (portColon + 1)..<authorityEnd
    } else {
      host = hostStart..<authorityEnd
    }
    target = TargetParts(text, from: authorityEnd)
  }

  /// Returns the reason why a URL with these parts can't open an app, or `nil` if the rules decide
  /// (Matching.md, 5).
  func ineligibility(in text: Span<UInt8>, _ expected: HostScope?) -> LinkURL.Ineligibility? {
    guard text.firstIndex(of: UInt8(ascii: "."), from: host.lowerBound, to: host.upperBound) != nil
    else { return .hostWithoutDomain }
    if let expected, !isHost(in: expected, text) { return .otherHost }
    guard let port, !port.isEmpty else { return nil }
    let digits = text.extracting(port).array
    let number = digits.allSatisfy(\.isDigit) ? Int(String(decoding: digits, as: UTF8.self)) : nil
    return number == (isSecure ? 443 : 80) ? nil : .foreignPort
  }

  private func isHost(in scope: HostScope, _ text: Span<UInt8>) -> Bool {
    let host = text.extracting(host)
    // Browsers treat a backslash as a slash, so the host ends there.
    let isWhole = !scope.isWildcard || host.firstIndex(of: UInt8(ascii: "\\")) == nil
    if isWhole, scope.contains(host) { return true }
    guard host.indices.contains(where: { host[$0] >= 0x80 }) else { return false }
    // Clients ask for the name in Punycode.
    let name = InternationalName.ascii(String(decoding: host.array, as: UTF8.self))
    return name.map { scope.contains($0.utf8) } ?? false
  }
}

extension UInt8 {
  /// A Boolean value indicating whether the authority of a URL ends before this byte.
  fileprivate var endsAuthority: Bool {
    self == UInt8(ascii: "/") || self == UInt8(ascii: "?") || self == UInt8(ascii: "#")
  }
}

/// One component of a URL in the forms that rules compare with.
///
/// The arrays reuse their memory from one URL to the next.
struct ComponentText: Sendable {
  /// The component as the URL spells it, percent-encoded.
  private(set) var encodedSource: [UInt8] = []

  /// The component as set, if systems may encode its escapes again (Matching.md, 3.3), else empty.
  private var ambiguousText: [UInt8] = []

  // Each form has a property of its own instead of an entry in an array, because the content of a
  // property can be borrowed without reference counting.
  private var normalizedPath: [UInt8]
  private var decoded: [UInt8] = []
  private var hasDecoded = false

  /// A Boolean value indicating whether decoding changes anything.
  private(set) var hasEscapes = false

  private let isPath: Bool

  init(isPath: Bool = false) {
    self.isPath = isPath
    normalizedPath = isPath ? [UInt8(ascii: "/")] : []
  }

  /// Replaces the component, and percent-encodes bytes that a URL cannot hold.
  mutating func set(_ text: Span<UInt8>) {
    // Most URLs have neither query nor fragment, and neither did the one before.
    if text.isEmpty, encodedSource.isEmpty { return }
    hasDecoded = false
    encodedSource.removeAll(keepingCapacity: true)
    if !ambiguousText.isEmpty { ambiguousText.removeAll(keepingCapacity: true) }
    let escapes = PercentEncoding.append(encoding: text, to: &encodedSource)
    hasEscapes = escapes.areThere
    if escapes.areMixed { text.append(to: &ambiguousText) }
    if isPath {
      normalizedPath.replaceSubrange(normalizedPath.indices, with: encodedSource)
      PathNormalization.normalize(&normalizedPath)
    }
  }

  /// Encodes the escapes again, if systems may do so.
  ///
  /// - Returns: Whether anything has changed.
  mutating func encodeEscapesAgain() -> Bool {
    if ambiguousText.isEmpty { return false }
    var encoded: [UInt8] = []
    PercentEncoding.append(encoding: ambiguousText.span, keepsEscapes: false, to: &encoded)
    set(encoded.span)
    return true
  }

  var isEmpty: Bool { encodedSource.isEmpty }

  /// Calls `body` with the bytes of a form, a path's normalized.
  @inline(__always)
  mutating func withBytes<Result>(
    _ form: TextForm, _ body: (Span<UInt8>) -> Result
  ) -> Result {
    // A text without escapes is the same decoded.
    if form == .decoded, hasEscapes {
      if !hasDecoded { decode() }
      return body(decoded.span)
    }
    return isPath ? body(normalizedPath.span) : body(encodedSource.span)
  }

  /// Returns the bytes of a form, a path's normalized.
  mutating func text(_ form: TextForm) -> [UInt8] { withBytes(form) { $0.array } }

  private mutating func decode() {
    hasDecoded = true
    decoded.removeAll(keepingCapacity: true)
    // Not borrowed, because another property changes.
    let source = encodedSource
    PercentEncoding.append(decoding: source.span, to: &decoded)
    if isPath { PathNormalization.normalize(&decoded) }
  }
}

/// A form of a URL's component that rules compare with (Matching.md, 3.2).
package enum TextForm: Int, CaseIterable, BitwiseCopyable, Sendable {
  /// As the URL spells it, percent-encoded.
  case encoded

  /// Percent-decoded.
  case decoded
}
