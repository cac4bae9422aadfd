internal import UniversalLinks

/// The lists of rules that decide for each app under two files, grouped by apps with the same
/// lists.
struct AppPairs: Sendable {
  /// Some apps and their lists; `nil` where a file doesn't name them.
  struct Pair: Sendable {
    var apps: [ApplicationIdentifier]
    var old: Int?
    var new: Int?
  }

  private let current: [Pair]
  private let legacy: [Pair]

  init(old: CompiledSite, new: CompiledSite) {
    current = Self.pairs(.current, old, new)
    legacy = Self.pairs(.legacy, old, new)
  }

  /// The pairs for a generation of systems, in the order in which the new file, then the
  /// old one, names their first apps.
  subscript(system: OperatingSystem) -> [Pair] {
    switch system {
    case .current: current
    case .legacy: legacy
    }
  }

  private struct Lists: Hashable {
    var old: Int?
    var new: Int?
  }

  private static func pairs(
    _ system: OperatingSystem, _ old: CompiledSite, _ new: CompiledSite
  ) -> [Pair] {
    let oldLists = old.matcher(system).ruleListByApp
    let newLists = new.matcher(system).ruleListByApp
    return (new.site.file.entries + old.site.file.entries).distinctApps
      .grouped { Lists(old: oldLists[$0], new: newLists[$0]) }
      .filter { $0.lists.old != nil || $0.lists.new != nil }
      .map { Pair(apps: $0.apps, old: $0.lists.old, new: $0.lists.new) }
  }
}
