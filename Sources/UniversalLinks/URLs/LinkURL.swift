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
    guard let (isSecure, authority) = Self.authority(of: text) else {
      ineligibility = .notHTTP
      return
    }
    let parts = text.targetParts(from: authority.upperBound)
    path.set(text.extracting(parts.path))
    query.set(text.extracting(parts.query))
    fragment.set(text.extracting(parts.fragment))
    // A fragment can't hold another '#' (RFC 3986, 3.5).
    if fragment.encodedSource.contains(UInt8(ascii: "#")) {
      let encoded = PercentEncoding.encoded(fragment.encodedSource) { $0 != UInt8(ascii: "#") }
      fragment.set(encoded.span)
    }
    forgetItems()
    ineligibility = Self.ineligibility(
      authority: text.extracting(authority), isSecure: isSecure, scope)
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
    let parts = target.targetParts()
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

// MARK: - Parts

extension Span<UInt8> {
  /// Returns the positions of path, query and fragment in the text of a URL (RFC 3986, 3), from the
  /// start of its path on.
  func targetParts(
    from start: Int = 0
  ) -> (path: Range<Int>, query: Range<Int>, fragment: Range<Int>) {
    let fragmentMark = firstIndex(of: UInt8(ascii: "#"), from: start) ?? count
    let queryMark =
      firstIndex(of: UInt8(ascii: "?"), from: start, to: fragmentMark) ?? fragmentMark
    return (
      start..<queryMark, min(queryMark + 1, fragmentMark)..<fragmentMark,
      min(fragmentMark + 1, count)..<count
    )
  }
}

extension LinkURL {
  /// Finds the authority of a URL, or returns `nil` if its scheme is neither `http` nor `https`.
  private static func authority(of text: Span<UInt8>) -> (isSecure: Bool, range: Range<Int>)? {
    // `http://` and `https://` in any letter case. Compare bytes only, because millions of URLs are
    // read.
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")), colon == 4 || colon == 5,
      text[0].asciiLowercased == UInt8(ascii: "h"), text[1].asciiLowercased == UInt8(ascii: "t"),
      text[2].asciiLowercased == UInt8(ascii: "t"), text[3].asciiLowercased == UInt8(ascii: "p"),
      colon == 4 || text[4].asciiLowercased == UInt8(ascii: "s"),
      text.begins(with: "//", at: colon + 1)
    else { return nil }
    let start = colon + 3
    var end = start
    while end < text.count, !text[end].endsAuthority { end += 1 }
    return (colon == 5, start..<end)
  }

  /// Returns the reason why a URL with an authority can't open an app, or `nil` if the rules decide
  /// (Matching.md, 5).
  private static func ineligibility(
    authority: Span<UInt8>, isSecure: Bool, _ expected: HostScope?
  ) -> Ineligibility? {
    let end = authority.count
    let start = authority.lastIndex(of: UInt8(ascii: "@"), from: 0, to: end).map { $0 + 1 } ?? 0
    var hostEnd = end
    if let colon = authority.lastIndex(of: UInt8(ascii: ":"), from: start, to: end),
      authority.firstIndex(of: UInt8(ascii: "]"), from: colon) == nil
    {
      hostEnd = colon
    }
    let host = authority.extracting(start..<hostEnd)
    guard host.firstIndex(of: UInt8(ascii: ".")) != nil else { return .hostWithoutDomain }
    if let expected, !isHost(host, in: expected) { return .otherHost }
    let port = authority.extracting(min(hostEnd + 1, end)..<end).array
    if port.isEmpty { return nil }
    let number = port.allSatisfy(\.isDigit) ? Int(String(decoding: port, as: UTF8.self)) : nil
    return number == (isSecure ? 443 : 80) ? nil : .foreignPort
  }

  private static func isHost(_ host: Span<UInt8>, in scope: HostScope) -> Bool {
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
      normalizedPath.normalizePath()
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
    if isPath { decoded.normalizePath() }
  }
}

/// A form of a URL's component that rules compare with (Matching.md, 3.2).
package enum TextForm: Int, CaseIterable, BitwiseCopyable, Sendable {
  /// As the URL spells it, percent-encoded.
  case encoded

  /// Percent-decoded.
  case decoded
}
