internal import AccessLogs
internal import ArgumentParser
internal import Foundations
internal import LinkAuditing
internal import Reporting
internal import TrafficDigest

/// The options that select requests.
struct FilterOptions: ParsableArguments {
  @Option(
    help: .usual(
      "Count requests from this platform only, such as 'ios' or 'inApp'; repeatable, or separated by commas.",
      valueName: "name"),
    completion: .list(Platform.allCases.map(\.name)))
  var platform: [String] = []

  @Option(
    help: ArgumentHelp(
      "Count requests with this status only: '200', '2xx' or '300-399'; repeatable, or separated by commas.",
      valueName: "pattern"),
    completion: .list(["200", "2xx", "3xx", "4xx", "5xx"]))
  var status: [String] = []

  @Flag(help: "Count pages that bots open as visits.")
  var includeBots = false

  func validate() throws {
    _ = try filter()
  }

  /// The filter that the options ask for.
  ///
  /// - Throws: `ValidationError` for a platform that is unknown, or a status that is
  ///   none.
  func filter() throws -> TrafficFilter {
    var filter = TrafficFilter()
    for name in Self.elements(platform) {
      guard
        let platform = Platform.allCases.first(where: { $0.name.lowercased() == name.lowercased() })
      else {
        throw ValidationError(Self.unknownPlatform(name))
      }
      filter.platforms = (filter.platforms ?? []).union([platform])
    }
    for pattern in Self.elements(status) {
      guard let range = Self.statuses(pattern) else {
        throw ValidationError(
          "'\(SafeText.escaped(pattern))' is not a status; write it as '200', '2xx', or '300-399'."
        )
      }
      filter.add(statuses: range)
    }
    filter.includesBots = includeBots
    return filter
  }

  /// The elements of options that may have several with commas between them.
  private static func elements(_ values: [String]) -> [String] {
    values.flatMap { value in
      value.split(separator: ",", omittingEmptySubsequences: false).map { element in
        String(element.drop { $0 == " " }).trimmingEnd()
      }
    }
  }

  /// Devices, systems and browsers, and the platform of each.
  private static let meanings = [
    "chrome": "iosBrowser", "crawler": "bot", "crawlers": "bot", "crios": "iosBrowser",
    "desktop": "macos", "edge": "iosBrowser", "firefox": "iosBrowser", "google": "bot",
    "googlebot": "bot", "ios13": "ios", "ios13+": "ios", "ipad": "ios", "ipados": "ios",
    "iphone": "ios", "iphones": "ios", "linux": "other", "mac": "macos", "macosx": "macos",
    "mobile": "ios", "osx": "macos", "safari": "ios", "webview": "inApp", "windows": "other",
  ]

  /// The meanings of platforms whose names don't say it.
  private static let browsers = [
    "ios": " (Safari on iPhone and iPad)", "iosBrowser": " (other browsers on iPhone and iPad)",
    "macos": " (Safari)", "inApp": " (web views in apps)",
  ]

  private static func unknownPlatform(_ name: String) -> String {
    let names = Platform.allCases.map(\.name)
    let meant = meanings[name.lowercased()] ?? NearestName.find(name, among: names)
    let nearest = meant.map { " Did you mean '\($0)'\(browsers[$0] ?? "")?" } ?? ""
    return "'\(SafeText.escaped(name))' is not a platform.\(nearest) Platforms are "
      + names.joined(separator: ", ") + "."
  }

  /// Returns the statuses that a pattern matches: `200`, `2xx`, `300-399`.
  static func statuses(_ pattern: String) -> ClosedRange<UInt16>? {
    let parts = pattern.split(separator: "-", omittingEmptySubsequences: false)
    if parts.count == 2, let first = status(parts[0]), let last = status(parts[1]), first <= last {
      return first...last
    }
    if let status = status(pattern[...]) { return status...status }
    guard pattern.utf8.count == 3, let first = pattern.utf8.first, (0x31...0x39).contains(first),
      pattern.lowercased().hasSuffix("xx")
    else { return nil }
    let hundred = UInt16(first - 0x30) * 100
    return hundred...(hundred + 99)
  }

  private static func status(_ text: Substring) -> UInt16? {
    guard text.utf8.count == 3, text.utf8.allSatisfy(\.isDigit) else {
      return nil
    }
    return UInt16(text)
  }
}
