internal import Foundations

/// The items of a query that are signs of causes.
///
/// A test compares the table of Documentation/Causes.md with these lists.
enum QuerySigns {
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
}

extension CauseEvidence.Facts {
  /// The signs that a query shows.
  ///
  /// - Parameter query: The query, percent-encoded, without its question mark.
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
        if value.isIn(QuerySigns.mailValues) { found.insert(.isMail) }
        if value.isIn(QuerySigns.advertValues) { found.insert(.isAdvert) }
      case UInt8(ascii: "u") where name.isEqual(to: "utm_source"):
        if value.isIn(QuerySigns.mailValues) { found.insert(.isMail) }
      case let first:
        let length = UInt64(min(name.count, 63))
        guard QuerySigns.lengths[Int(first)] &>> length & 1 == 1 else { return }
        func isOne(of names: [StaticString]) -> Bool { names.contains { name.isEqual(to: $0) } }
        if isOne(of: QuerySigns.mailItems) { found.insert(.isMail) }
        if isOne(of: QuerySigns.advertItems) { found.insert(.isAdvert) }
        if isOne(of: QuerySigns.loginItems) { found.insert(.isLogin) }
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
