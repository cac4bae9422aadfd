internal import UniversalLinks

/// The lists of rules that decide for each app under two files, by the apps that have
/// the same ones.
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
    var order: [Lists] = []
    var apps: [Lists: [ApplicationIdentifier]] = [:]
    for app in (new.site.file.entries + old.site.file.entries).distinctApps {
      let lists = Lists(old: oldLists[app], new: newLists[app])
      guard lists.old != nil || lists.new != nil else { continue }
      if apps[lists] == nil { order.append(lists) }
      apps[lists, default: []].append(app)
    }
    return order.map { Pair(apps: apps[$0] ?? [], old: $0.old, new: $0.new) }
  }
}
