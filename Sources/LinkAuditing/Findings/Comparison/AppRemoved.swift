internal import UniversalLinks

/// The new file no longer names an app.
enum AppRemoved: ComparisonFindingKind {
  static let code = Finding.Code.appRemoved
  static let title = "An app that would be removed"
  static let condition = "the new file no longer names an app that the old one names"
  static let meaning = "No link opens that app any more, whatever other apps claim."
  static let remedy = "If the app is still in use, name it again."
  static let severity = FindingSeverity.fixed(.warning)

  static func findings(in context: ComparisonFindingContext) -> [Finding] {
    context.comparison.apps.filter { $0.kind == .removed }.map { app in
      finding(
        .warning, host: context.comparison.host, about: app.app.text,
        "The new file no longer names \(app.app.text), for which the old one claims \(app.lost.weightText).",
        app.lost, share: context.share(app.lost, of: context.comparison.total))
    }
  }

  static func findings(old: Site, new: Site) -> [Finding] {
    let kept = Set(new.file.entries.flatMap(\.namedApps))
    return old.file.entries.distinctApps.filter { !kept.contains($0) }
      .map {
        finding(
          .warning, host: new.host, about: $0.text, "The new file no longer names \($0.text).")
      }
  }
}
