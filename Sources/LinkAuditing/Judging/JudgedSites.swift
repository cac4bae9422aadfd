/// The sites of a judge, with the versions of all of them in one list.
struct JudgedSites {
  let histories: [CompiledHistory]

  /// The versions of all sites, one site after another.
  let versions: [CompiledSite]

  /// By site, the position of its first version among those.
  let firstVersions: [Int]

  /// Whether a site has more than one version; if none has, the number of a site is that of
  /// its version.
  let hasHistory: Bool

  init(_ histories: [CompiledHistory]) {
    self.histories = histories
    versions = histories.flatMap(\.versions)
    var firstVersions: [Int] = []
    var count = 0
    for site in histories {
      firstVersions.append(count)
      count += site.versions.count
    }
    self.firstVersions = firstVersions
    hasHistory = count > histories.count
  }
}
