internal import Foundations
internal import TrafficDigest
internal import UniversalLinks

extension Cause: NumberedCase {
  public var number: Int { Int(rawValue) }

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

  /// By set of facts, the number of the cause of a request that agrees in all else.
  var causesByFacts: SIMD32<UInt8> {
    var (evidence, causes) = (self, SIMD32<UInt8>())
    for number in 0..<Facts.count {
      evidence.facts = Facts(rawValue: UInt8(number))
      causes[number] = evidence.cause.rawValue
    }
    return causes
  }
}

extension SystemAge {
  /// Whether systems of this age lack a feature that a rule needs.
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
      let rule = evaluation.decidingRule(ofRuleList: list)
    else { return .iOS13 }
    return matchers.current.rules[rule].definition.firstRelease
  }
}

extension RuleDefinition {
  /// The first release that reads the rule correctly (Matching.md, 4.3).
  var firstRelease: SystemRelease {
    if !isPercentEncoded { return .iOS14 }
    if !isCaseSensitive {
      // A rule that ignores letter case without saying so has that from defaults.
      return source.utf8.span.contains("\"caseSensitive\"") ? .iOS13Point5 : .iOS14
    }
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

// The items of a query that are signs of causes.
//
// A test compares the table of Documentation/Causes.md with these lists.
extension CauseEvidence.Facts {
  /// The names of query items that click trackers of mail add.
  static let mailItems: [StaticString] = [
    "_hsenc", "_hsmi", "_ke", "_kx", "bsft_uid", "ck_subscriber_id", "cm_mmc", "dm_i", "elqTrackId",
    "et_rid", "mc_cid", "mc_eid", "mkt_tok", "oly_anon_id", "oly_enc_id", "sfmc_id", "sfmc_sub",
    "vero_id", "wickedid",
  ]

  /// The names of query items that networks of adverts add.
  static let advertItems: [StaticString] = [
    "ScCid", "dclid", "epik", "fbclid", "gad_source", "gbraid", "gclid", "li_fat_id", "msclkid",
    "rdt_cid", "ttclid", "twclid", "wbraid", "yclid",
  ]

  /// The values of `utm_medium` and `utm_source` that mean mail, and those of `utm_medium` that mean
  /// adverts, in lower case.
  static let mailValues = ["e-mail", "email", "newsletter"]
  static let advertValues = [
    "banner", "cpc", "cpm", "display", "paid", "paid-search", "paid-social", "paid_search",
    "paid_social", "paidsearch", "paidsocial", "ppc", "retargeting",
  ]

  /// Pairs of query items, and single ones, with which a login service redirects a browser back
  /// (RFC 6749, 4.1.2, and RFC 5849, 2.2).
  static let loginPairs: [(StaticString, StaticString)] = [
    ("code", "state"), ("error", "state"), ("oauth_token", "oauth_verifier"),
  ]
  static let loginItems: [StaticString] = ["SAMLResponse"]

  /// For each byte, a bit for each length of a name of these lists that begins with it.
  fileprivate static let lengths: [UInt64] = {
    var lengths = [UInt64](repeating: 0, count: 256)
    for name in mailItems + advertItems + loginItems {
      let bit: UInt64 = 1 << UInt64(min(name.utf8CodeUnitCount, 63))
      if let first = name.description.utf8.first { lengths[Int(first)] |= bit }
    }
    return lengths
  }()

  /// The signs that a query shows, percent-encoded and without its question mark.
  init(query: Span<UInt8>) {
    var (code, state, error, token, verifier) = (false, false, false, false, false)
    var found: Self = []
    query.forEachQueryItem { name, value in
      guard name.count > 0 else { return }
      switch name[0] {
      case UInt8(ascii: "c") where name.isEqual(to: "code"): code = true
      case UInt8(ascii: "e") where name.isEqual(to: "error"): error = true
      case UInt8(ascii: "s") where name.isEqual(to: "state"): state = true
      case UInt8(ascii: "o") where name.isEqual(to: "oauth_token"): token = true
      case UInt8(ascii: "o") where name.isEqual(to: "oauth_verifier"): verifier = true
      case UInt8(ascii: "u") where name.isEqual(to: "utm_medium"):
        if value.isIn(Self.mailValues) { found.insert(.isMail) }
        if value.isIn(Self.advertValues) { found.insert(.isAdvert) }
      case UInt8(ascii: "u") where name.isEqual(to: "utm_source"):
        if value.isIn(Self.mailValues) { found.insert(.isMail) }
      case let first:
        let length = UInt64(min(name.count, 63))
        guard Self.lengths[Int(first)] &>> length & 1 == 1 else { return }
        func isOne(of names: [StaticString]) -> Bool { names.contains { name.isEqual(to: $0) } }
        if isOne(of: Self.mailItems) { found.insert(.isMail) }
        if isOne(of: Self.advertItems) { found.insert(.isAdvert) }
        if isOne(of: Self.loginItems) { found.insert(.isLogin) }
      }
    }
    if code && state || error && state || token && verifier { found.insert(.isLogin) }
    self = found
  }
}

extension Span<UInt8> {
  fileprivate func isEqual(to text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && begins(with: text)
  }

  /// Returns a Boolean value indicating whether this is one of some values, in any letter case.
  fileprivate func isIn(_ values: [String]) -> Bool {
    values.contains { value in
      var index = 0
      for byte in value.utf8 {
        guard index < count, self[index].asciiLowercased == byte else { return false }
        index += 1
      }
      return index == count
    }
  }
}
