internal import AccessLogs
internal import ArgumentParser
internal import AuditStore
internal import Foundations
internal import LinkAuditing
internal import Reporting
internal import TrafficDigest
internal import UniversalLinks

struct JudgingOptions: ParsableArguments {
  @Option(help: .rare("Ignore this path, such as '/healthz' or '/internal/*'; repeatable.", "path"))
  var ignore: [String] = []

  @Option(
    help: .rare("Treat this path as a login's callback, such as '/auth/*'; repeatable.", "path"))
  var callback: [String] = []

  @Option(help: .rare("Count no page with these extensions, such as 'css,js,png'.", "list"))
  var assetExtensions: String?

  @Option(help: .rare("Group paths: 'template', 'exact', or 'depth:2'. (default: template)", "how"))
  var group: PathGrouping?

  @Option(
    help: .rare("Fold more names than this in a directory. (default: 100)", "n"),
    transform: number(1..., "must be at least 1"))
  var fanOut: Int?

  @Option(
    name: .customLong("sort"), help: .rare("Order rows by this figure. (default: visits)", "figure")
  )
  var weight: Traffic.Weight?

  @Option(
    help: .rare(
      "Set the least share for a severity, or 'never'; repeatable.", "code:severity=share"))
  var threshold: [String] = []

  @OptionGroup(title: "Filters") var filterOptions: FilterOptions

  func validate() throws {
    for (option, paths, example) in [
      ("ignore", ignore, "'/healthz' or '/internal/*'"),
      ("callback", callback, "'/auth/callback' or '/auth/*'"),
    ] {
      for path in paths where !path.hasPrefix("/") && !path.hasPrefix("*") {
        throw ValidationError(
          "'--\(option) \(path)' is not a path; begin it with '/', as in \(example).")
      }
    }
    if let assetExtensions, assetExtensions.contains(where: { "/*?".contains($0) }) {
      throw ValidationError(
        "'--asset-extensions \(assetExtensions)' is not a list of extensions; write it as 'css,js,png'."
      )
    }
    _ = try thresholds()
  }

  func auditOptions(jobs: Int) throws -> AuditOptions {
    var options = AuditOptions(jobs: jobs)
    if let fanOut { options.fanOut = fanOut }
    if let group { options.grouping = group }
    if let weight { options.weight = weight }
    options.thresholds = try thresholds()
    options.today = LogTime.now.day
    options.ignoredPaths = PathPatterns(ignore)
    options.callbackPaths = PathPatterns(callback)
    if let assetExtensions { options.assetExtensions = AssetExtensions(assetExtensions) }
    options.filter = try filterOptions.filter()
    return options
  }

  private func thresholds() throws -> FindingThresholds {
    var thresholds = FindingThresholds()
    for text in threshold { try thresholds.set(text) }
    return thresholds
  }
}

extension FindingThresholds {
  mutating func set(_ text: String) throws {
    let parts = text.split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false
    ).map(String.init)
    let names = (parts.first ?? "").split(separator: ":").map(String.init)
    try refuse(
      if: parts.count != 2 || names.count != 2,
      "'--threshold \(text)' is not a threshold; write it as 'same-host-links:warning=20%', or '…=never'."
    )
    let (code, known) = (names[0], codes)
    guard var levels = self[code] else {
      let isFixed = DiagnosticCatalog.findings.kinds.contains { $0.code == code }
      let nearest = known.nearest(to: code)
      throw ValidationError(
        isFixed
          ? "the finding '\(code)' has no threshold; findings with thresholds are \(known.joined(separator: ", "))."
          : "'\(code)' in '--threshold' is not a finding; "
            + (nearest.map { "did you mean '\($0)'?" }
              ?? "findings with thresholds are \(known.joined(separator: ", "))."))
    }
    guard let severity = Severity(rawValue: names[1]) else {
      throw ValidationError(
        "'\(names[1])' in '--threshold' is not a severity; severities are \(Severity.allCases.map(\.rawValue).joined(separator: ", "))."
      )
    }
    let share = ShareOption(argument: parts[1])
    try refuse(
      if: share == nil && parts[1] != "never",
      "'\(parts[1])' in '--threshold \(text)' is not a share; write one from 0% to 100%, or 'never'."
    )
    levels[severity] = share?.basisPoints
    self[code] = levels
  }
}

struct FilterOptions: ParsableArguments {
  @Option(
    help: .usual("Count this platform only, such as 'ios' or 'inApp'; repeatable.", "name"),
    completion: .list(Platform.allCases.map(\.name)))
  var platform: [String] = []

  @Option(
    help: .rare("Count this status only: '200', '2xx' or '300-399'; repeatable.", "pattern"),
    completion: .list(["200", "2xx", "3xx", "4xx", "5xx"]))
  var status: [String] = []

  @Flag(help: "Count pages that bots open as visits.")
  var includeBots = false

  func validate() throws { _ = try filter() }

  func filter() throws -> TrafficFilter {
    var filter = TrafficFilter()
    for name in Self.elements(platform) {
      let names = Platform.allCases.map(\.name)
      guard
        let platform = Platform.allCases.first(where: { $0.name.lowercased() == name.lowercased() })
      else {
        let nearest = names.nearest(to: name).map { " Did you mean '\($0)'?" } ?? ""
        throw ValidationError(
          "'\(SafeText.escaped(name))' is not a platform.\(nearest) Platforms are "
            + names.joined(separator: ", ") + ".")
      }
      filter.platforms = (filter.platforms ?? []).union([platform])
    }
    for pattern in Self.elements(status) {
      guard let range = Self.statuses(pattern) else {
        throw ValidationError(
          "'\(SafeText.escaped(pattern))' is not a status; write it as '200', '2xx', or '300-399'."
        )
      }
      filter.statuses = (filter.statuses ?? []).union(range)
    }
    filter.includesBots = includeBots
    return filter
  }

  private static func elements(_ values: [String]) -> [String] {
    values.flatMap { value in
      value.split(separator: ",", omittingEmptySubsequences: false).map { element in
        String(element.drop { $0 == " " }).trimmingEnd()
      }
    }
  }

  /// Returns the statuses that a pattern matches: `200`, `2xx`, `300-399`.
  private static func statuses(_ pattern: String) -> ClosedRange<UInt16>? {
    if let match = pattern.wholeMatch(of: /([1-9])[xX]{2}/), let digit = UInt16(match.1) {
      return digit * 100...digit * 100 + 99
    }
    guard let match = pattern.wholeMatch(of: /([0-9]{3})(?:-([0-9]{3}))?/),
      let first = UInt16(match.1), let last = UInt16(match.2 ?? match.1), first <= last
    else { return nil }
    return first...last
  }
}
