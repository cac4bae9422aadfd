internal import ArgumentParser
internal import AuditStore
internal import Foundations
internal import LinkAuditing

/// The options for judging traffic: filters, grouping of paths, and thresholds of findings.
struct JudgingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Ignore requests for this path, such as '/healthz' or '/internal/*'; repeatable.",
      valueName: "path"))
  var ignore: [String] = []

  @Option(
    help: ArgumentHelp(
      "Treat this path as one to which login services redirect, such as '/auth/*'; repeatable.",
      valueName: "path"))
  var callback: [String] = []

  @Option(
    help: ArgumentHelp(
      "Do not count paths with these extensions as pages, in place of the default list: 'css,js,png'.",
      valueName: "list"))
  var assetExtensions: String?

  @Option(
    help: ArgumentHelp(
      "Group paths by 'template' (fold numbers and identifiers), 'exact' (no grouping), or 'depth:2' (fold segments after the second). (default: template)",
      valueName: "how"))
  var group: PathGrouping?

  @Option(
    help: ArgumentHelp(
      "Fold the names in a directory into '{*}' if there are more than this. (default: 100)",
      valueName: "n"))
  var fanOut: Int?

  @Option(
    name: .customLong("sort"),
    help: ArgumentHelp("Order rows by this figure. (default: visits)", valueName: "figure"))
  var weight: Traffic.Weight?

  @Option(
    help: ArgumentHelp(
      "Set the minimum share of traffic for a severity: 'same-host-links:warning=20%', or '=never'; repeatable. Documentation/Findings.md lists the defaults.",
      valueName: "code:severity=share"))
  var threshold: [String] = []

  @OptionGroup(title: "Filters")
  var filterOptions: FilterOptions

  /// Checks the options after a configuration has completed them.
  ///
  /// - Throws: `ValidationError` if an option is invalid.
  func check() throws {
    if let fanOut, fanOut < 1 {
      throw ValidationError("'--fan-out' must be at least 1, but it is \(fanOut).")
    }
    if case .depth(let depth) = group, depth < 1 {
      throw ValidationError("'--group depth:\(depth)' must be at least 'depth:1'.")
    }
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

  /// Returns the options for judging digests.
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
