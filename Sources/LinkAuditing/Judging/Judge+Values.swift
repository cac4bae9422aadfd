internal import TrafficDigest

extension Judge {
  /// A combination of dimensions, with what is asked of it for each target.
  struct Combination: BitwiseCopyable {
    var dimensions: PackedDimensions
    var isLegacy: Bool
    var isVisitLike: Bool

    /// Whether requests with it would be visits with another status.
    var isAttempt: Bool

    /// The status, if it is that of a redirect or of a page that is missing or broken;
    /// else 0.
    var problem: UInt16

    /// Whether requests with it count.
    var isIncluded: Bool

    init(_ dimensions: PackedDimensions, _ filter: TrafficFilter) {
      self.dimensions = dimensions
      isLegacy = dimensions.platform == .ios12
      isVisitLike = filter.isVisitLike(dimensions)
      isAttempt = filter.isAttempt(dimensions)
      let status = dimensions.status
      problem =
        AnsweredTraffic.Kind.allCases.contains { $0.contains(status) } ? status : 0
      isIncluded = filter.lets(dimensions)
    }
  }

  /// A page that same-host visits came from.
  struct Page: BitwiseCopyable {
    var template: Int
    var isLegacy: Bool

    /// Whether visits from it count.
    var isIncluded: Bool

    /// The number of the day of visits from it.
    var day: Int
  }

  /// A target while it is judged.
  struct Subject {
    var site: Int

    /// The position among those of all sites of the version under which it is judged.
    var version: Int

    /// Whether the target is a page, so that requests for it can be visits.
    var isPage: Bool

    /// The number of its path's template.
    var template: Int

    /// The position of the app's route that it has.
    var route: Int?
  }
}
