internal import Foundations
internal import TrafficDigest
internal import UniversalLinks

extension Cause: NumberedCase {
  var number: Int { Int(rawValue) }

  /// The case with a number.
  init(number: Int) { self = UInt8(exactly: number).flatMap { Self(rawValue: $0) } ?? .unknown }
}

/// The parts of a request that can show the cause for which it stayed on the web.
struct CauseEvidence: Hashable {
  var referral: Referral
  var platform: Platform
  var referrer: ReferrerKind
  var isBeforeUniversalLinks: Bool
  var facts: Facts = []

  /// The signs that neither its referrer nor its user agent shows.
  struct Facts: OptionSet, BitwiseCopyable, Hashable {
    let rawValue: UInt8

    /// The system is older than the rule.
    static let isTooOld = Facts(rawValue: 1)

    /// No fetcher received the association file on its day.
    static let isUndelivered = Facts(rawValue: 2)

    /// Login services redirect browsers to its path, or its query is that of a login service.
    static let isLogin = Facts(rawValue: 4)

    /// The query says that the link was in mail, or in an advert.
    static let isMail = Facts(rawValue: 8)
    static let isAdvert = Facts(rawValue: 16)

    /// The number of sets of facts.
    fileprivate static let count = 32
  }

  /// The evidence of dimensions, without further facts.
  init(_ dimensions: Dimensions) {
    (referral, platform, referrer) = (
      dimensions.referral, dimensions.platform, dimensions.referrer
    )
    isBeforeUniversalLinks = dimensions.systemAge == .beforeUniversalLinks
  }

  /// The first cause whose sign it shows.
  var cause: Cause { Cause.signs.firstIndex { $0(self) }.map { Cause(number: $0) } ?? .unknown }
}

/// The causes of requests that agree in referrer and user agent, by their other facts.
struct CauseByDimensions: BitwiseCopyable {
  private var causes = SIMD32<UInt8>()

  /// Asks for the signs of all causes, with all sets of facts.
  init(_ evidence: CauseEvidence) {
    var evidence = evidence
    for number in 0..<CauseEvidence.Facts.count {
      evidence.facts = CauseEvidence.Facts(rawValue: UInt8(number))
      causes[number] = evidence.cause.rawValue
    }
  }

  /// Returns the cause of a request with these dimensions and other facts.
  @inline(__always)
  func cause(_ facts: CauseEvidence.Facts) -> Cause {
    Cause(number: Int(causes[Int(facts.rawValue)]))
  }
}

/// The signs that determine the causes of a claimed target's requests.
struct CauseSigns {
  /// The signs that path and query show.
  let ofTarget: CauseEvidence.Facts

  /// The first release that reads the rule that claims the target.
  let release: SystemRelease

  /// The days without a delivery of the file, or `nil` if every day has one.
  let undelivered: Set<Int>?

  /// Returns the cause of the requests with some dimensions.
  @inline(__always)
  func cause(of combination: JudgedNames.Combination) -> Cause {
    var facts = ofTarget
    if combination.systemAge != .current, combination.systemAge.isTooOld(for: release) {
      facts.insert(.isTooOld)
    }
    if let undelivered, undelivered.contains(combination.dimensions.dayNumber) {
      facts.insert(.isUndelivered)
    }
    return combination.cause.cause(facts)
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

extension RuleSet.Version {
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
  var firstRelease: SystemRelease {
    if !isPercentEncoded { return .iOS14 }
    if !isCaseSensitive { return .iOS13Point5 }
    let hasVariables = patterns.contains { $0.pattern.utf8.span.contains("$(") }
    return hasVariables ? .iOS13Point5 : .iOS13
  }
}

extension [TrafficDigest.Daily<TrafficDigest.Fetch>] {
  /// The numbers of the days on which Apple's fetchers requested the file and none received it.
  var undeliveredDays: Set<Int> {
    Set(
      compactMap { daily in
        let apple = daily.counts.filter(\.fetcher.isApple)
        return apple.isEmpty || apple.contains(where: \.isGood) ? nil : daily.day?.number
      })
  }
}
