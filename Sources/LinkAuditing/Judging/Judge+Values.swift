extension Judge {
  /// A target while it is judged.
  struct Subject {
    var site: Int

    /// The position of the version under which it is judged, among those of all sites.
    var version: Int

    /// Whether the target is a page, so that requests for it can be visits.
    var isPage: Bool

    /// The number of its path's template.
    var template: Int

    /// The position of the app's route that it has.
    var route: Int?

    /// Whether some requests didn't get a page.
    var hasProblems = false
  }

  /// A file that the file of a site is compared with.
  struct Candidate {
    let site: CompiledSite

    /// The lists of rules of each app under both files.
    let appPairs: AppPairs

    init(_ site: CompiledSite, for old: CompiledSite) {
      self.site = site
      appPairs = AppPairs(old: old, new: site)
    }
  }
}
