internal import Foundations
internal import TrafficDigest
package import UniversalLinks

extension Cause: NumberedCase {
  var number: Int {
    switch self {
    case .sameHost: 0
    case .inAppBrowser: 1
    case .otherBrowser: 2
    case .oldSystem: 3
    case .fileNotDelivered: 4
    case .loginCallback: 5
    case .ownRedirect: 6
    case .mail: 7
    case .advert: 8
    case .ownHost: 9
    case .search: 10
    case .social: 11
    case .otherSite: 12
    case .unknown: 13
    }
  }

  /// The number of cases.
  static let count = allCases.count

  /// The case with a number.
  init(number: Int) { self = Self.allCases[number] }
}

/// The cause of a request as far as its dimensions decide it.
struct CauseByDimensions: BitwiseCopyable {
  /// The cause if the dimensions alone decide it, or `nil`.
  let first: Cause?

  /// The cause if neither the rule, the day, nor the query decides it.
  let last: Cause

  init(_ dimensions: Dimensions) {
    first =
      if dimensions.referral == .sameHost {
        .sameHost
      } else if dimensions.platform == .inApp {
        .inAppBrowser
      } else if dimensions.platform == .iosBrowser {
        .otherBrowser
      } else if dimensions.systemAge == .beforeUniversalLinks {
        .oldSystem
      } else {
        nil
      }
    last =
      switch dimensions.referrer {
      case .unknown: .unknown
      case .ownHost: .ownHost
      case .tracker: .ownRedirect
      case .search: .search
      case .social: .social
      case .mail: .mail
      case .advert: .advert
      case .other: .otherSite
      }
  }

  /// Returns the cause of a request with these dimensions.
  ///
  /// - Parameters:
  ///   - isTooOld: Whether the system is older than the rule.
  ///   - isUndelivered: Whether no fetcher received the association file on its day.
  ///   - isCallback: Whether login services redirect browsers to its path.
  ///   - signs: The signs of its query.
  /// - Returns: The cause.
  @inline(__always)
  func cause(
    isTooOld: Bool, isUndelivered: Bool, isCallback: Bool, _ signs: QuerySigns
  ) -> Cause {
    if let first { return first }
    if isTooOld { return .oldSystem }
    if isUndelivered { return .fileNotDelivered }
    if isCallback || signs.isLogin { return .loginCallback }
    if last == .ownRedirect { return last }
    if signs.isMail || last == .mail { return .mail }
    if signs.isAdvert || last == .advert { return .advert }
    return last
  }
}

/// The signs that determine the causes of a claimed target's requests.
struct CauseSigns {
  let query: QuerySigns

  /// Whether login services redirect browsers to the path.
  let isCallback: Bool

  /// The first release that reads the rule that claims the target.
  let release: SystemRelease

  /// The days without a delivery of the file, or `nil` if every day has one.
  let undelivered: UndeliveredDays?
  let site: Int

  /// Returns the cause of the requests with some dimensions.
  @inline(__always)
  func cause(of combination: JudgedNames.Combination) -> Cause {
    combination.cause.cause(
      isTooOld: combination.systemAge != .current && combination.systemAge.isTooOld(for: release),
      isUndelivered: undelivered?.contains(day: combination.dimensions.dayNumber, site: site)
        ?? false,
      isCallback: isCallback, query)
  }
}

extension SystemAge {
  /// Returns a Boolean value indicating whether systems of this age lack a feature that a rule
  /// needs.
  func isTooOld(for release: SystemRelease) -> Bool {
    switch self {
    case .current: false
    case .beforeUniversalLinks: true
    case .before13Point5: release != .iOS13
    case .before14: release == .iOS14
    }
  }
}

extension CompiledSite {
  /// Returns the first release that correctly reads the rule that claims a target.
  func firstRelease(
    _ system: OperatingSystem, _ evaluation: borrowing Evaluation
  ) -> SystemRelease {
    guard system == .current,
      let list = matchers.current.firstList(with: .claimed, evaluation),
      matchers.current.ruleLists[list].list == .components,
      let rule = evaluation.decidingRule(ofRuleList: list)
    else { return .iOS13 }
    return matchers.current.ruleLists[list].definition(ofRule: rule)?.firstRelease ?? .iOS13
  }
}

extension RuleDefinition {
  /// The first release that reads the rule correctly (Matching.md, 4.3).
  package var firstRelease: SystemRelease {
    if !isPercentEncoded { return .iOS14 }
    if !isCaseSensitive { return .iOS13Point5 }
    let hasVariables = patterns.contains { $0.pattern.utf8.span.contains("$(") }
    return hasVariables ? .iOS13Point5 : .iOS13
  }
}

/// The days on which Apple's fetchers requested the file of a site and none received it.
struct UndeliveredDays: Sendable {
  /// By site, the numbers of the days.
  private var days: [Set<Int>]

  /// - Parameter fetches: The fetches by site and day.
  init(_ fetches: [[TrafficDigest.Daily<TrafficDigest.Fetch>]]) {
    days = fetches.map { fetches in
      Set(
        fetches.compactMap { daily in
          let apple = daily.counts.filter(\.fetcher.isApple)
          return apple.isEmpty || apple.contains(where: \.isGood) ? nil : daily.day?.number
        })
    }
  }

  /// Returns a Boolean value indicating whether a site has any such day.
  func hasAny(site: Int) -> Bool { !days[site].isEmpty }

  /// Returns a Boolean value indicating whether a day is one of those of a site.
  func contains(day: Int, site: Int) -> Bool { days[site].contains(day) }
}
