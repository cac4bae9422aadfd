internal import Foundations
internal import TrafficDigest
internal import UniversalLinks

extension Finding {
  /// The kinds of findings about the causes for which claimed visits stay on the web.
  ///
  /// They are in the order of the causes. Links on the same host have a kind of their own.
  static let causeKinds: [FindingKind<AuditedSite>] = Cause.allCases.compactMap { cause in
    let entry = cause.entry
    guard let levels = entry.levels else { return nil }
    return FindingKind(
      single: DiagnosticKind(
        "cause-\(entry.name)", note: levels.note, warning: levels.warning, of: "claimed visits",
        entry.title, condition: "claimed visits \(entry.predicate)", meaning: entry.meaning,
        remedy: entry.remedy)
    ) { context in
      let claimed = context.audit.verdicts[.claimed] ?? Traffic()
      guard let row = context.audit.causes.first(where: { $0.cause == cause }),
        row.traffic.visits > 0
      else { return nil }
      let paths = row.paths.filter { $0.traffic.visits > 0 }
      let heaviest = paths.first.map { " Heaviest: \($0.path)." } ?? ""
      let known = entry.names(context.subject).filter { !$0.hasPrefix("other ") }.prefix(3)
      let names =
        known.isEmpty
        ? "" : " In these logs, most requests of this kind are from \(Array(known).listed)."
      // Where the cause is unknown, the app may not even be installed.
      let canWin = entry.canBeFixed && entry.certainty != .unknown
      return context.measured(
        row.traffic, of: claimed,
        "\(row.traffic.visits.grouped) of \(claimed.visits.counted("claimed visit")) \(entry.predicate).\(heaviest)\(names)",
        context.evidence(paths), visitsToWin: canWin ? row.traffic.visits : nil)
    }
  }
}
