internal import ArgumentParser
internal import LinkAuditing

/// How traffic is judged: what counts, how paths are grouped, and what is worth a
/// finding.
struct JudgingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A path whose requests don't count, such as '/healthz' or '/internal/*'. May be repeated.",
      valueName: "path"))
  var ignore: [String] = []

  @Option(
    help: ArgumentHelp(
      "The extensions of paths that aren't pages, in place of the usual ones, such as 'css,js,png'.",
      valueName: "list"))
  var assetExtensions: String?

  @Option(
    help: ArgumentHelp(
      "How paths are grouped: 'template' (numbers and the like fold), 'exact' (each path for itself), or 'depth:2' (what is behind two segments folds). (default: template)",
      valueName: "how"))
  var group: FamilyGrouping?

  @Option(
    help: ArgumentHelp(
      "How many different names one directory may have before they fold into '{*}'. (default: 100)",
      valueName: "n"))
  var fanOut: Int?

  @Option(
    name: .customLong("by"),
    help: ArgumentHelp(
      "What rows are ordered by. (default: visits)", valueName: "visits|requests"))
  var weight: Traffic.Weight?

  @Option(
    help: ArgumentHelp(
      "From which share on a finding has a severity, such as 'same-host-links:warning=20%', or '=never'. May be repeated; see Documentation/Findings.md.",
      valueName: "code:severity=share"))
  var threshold: [String] = []

  @OptionGroup(title: "Filters")
  var filterOptions: FilterOptions

  /// Checks what holds also where a configuration has filled in values.
  ///
  /// - Throws: `ValidationError` if something doesn't hold.
  func check() throws {
    if let fanOut, fanOut < 1 {
      throw ValidationError("'--fan-out' must be at least 1, but it is \(fanOut).")
    }
    if case .depth(let depth) = group, depth < 1 {
      throw ValidationError("'--group depth:\(depth)' must be at least 'depth:1'.")
    }
    for path in ignore where !path.hasPrefix("/") && !path.hasPrefix("*") {
      throw ValidationError(
        "'--ignore \(path)' is not a path; it begins with '/', as '/healthz' or '/internal/*'.")
    }
    if let assetExtensions, assetExtensions.contains(where: { "/*?".contains($0) }) {
      throw ValidationError(
        "'--asset-extensions \(assetExtensions)' is not a list of extensions, as 'css,js,png'.")
    }
    _ = try thresholds()
  }

  /// How digests are judged.
  func auditOptions(jobs: Int) throws -> AuditOptions {
    var options = AuditOptions(jobs: jobs)
    if let fanOut { options.fanOut = fanOut }
    if let group { options.grouping = group }
    if let weight { options.weight = weight }
    options.thresholds = try thresholds()
    options.ignoredPaths = IgnoredPaths(ignore)
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
