internal import UniversalLinks

/// The association file can claim nothing.
enum NoUsableRules: SiteFindingKind {
  static let code = Finding.Code.noUsableRules
  static let title = "The association file claims nothing"
  static let condition = "no rule of the association file could claim a URL"
  static let meaning = "No link to this host opens an app."
  static let remedy =
    "Check that 'applinks.details' names the app, and that an entry has a rule that does not "
    + "exclude."
  static let severity = FindingSeverity.fixed(
    .error, except: "`note` if the file names none of the apps chosen with `--app`")

  static func findings(in context: SiteFindingContext) -> [Finding] {
    let host = context.audit.host
    if context.site.hasChosenApps,
      context.site.file.entries.allSatisfy(\.namedApps.isEmpty)
    {
      return [
        finding(
          .note, host: host, "The association file names none of the chosen apps.",
          remedy: "Name another app with '--app', or leave the site out.")
      ]
    }
    let hasUsableRules = context.site.file.entries.contains { entry in
      OperatingSystem.allCases.contains { system in
        guard !entry.apps(for: system).isEmpty else { return false }
        return entry.rules(for: system)?.contains { !$0.excludes && !$0.requiresEntitlement }
          ?? true
      }
    }
    if hasUsableRules { return [] }
    return [
      finding(
        .error, host: host, "The association file has no rule that could claim a URL.",
        context.audit.total)
    ]
  }
}
