internal import LinkAuditing
internal import UniversalLinks

/// The names of `report --format json`, schema `linkaudit.report/1`.
struct JSONDocument: Encodable {
  var schema = "linkaudit.report/1"
  var input: Input

  /// Left out where none is in force.
  var filters: Filters?
  var clients: [Client]
  var sites: [Site]
  var otherHosts: [Host]
  var findings: [Finding]

  struct Input: Encodable {
    /// The files, of which there may be a hundred thousand; ``JSONFileList`` writes
    /// them.
    var files = JSONNullable<Int>(nil)
    var lines: Int
    var requests: Int
    var rejected: Int

    /// Requests outside the span of time that was asked for.
    var outside: Int
    var rejectedByReason: [String: Int]
    var rejectedLines: [RejectedLine]
    var from: JSONNullable<String>
    var to: JSONNullable<String>
  }

  /// What was not asked for is left out.
  struct Filters: Encodable {
    var platforms: [String]?
    var statuses: [String]?
    var includeBots: Bool
  }

  struct Client: Encodable {
    var platform: String
    var client: String

    /// The major version of iOS.
    var version: JSONNullable<Int>
    var requests: Int
  }

  struct RejectedLine: Encodable {
    var reason: String
    var path: String
    var line: Int

    /// The number of bytes of the input, decompressed, in front of the line.
    var offset: Int
  }

  struct Amount: Encodable {
    var requests: Int
    var visits: Int

    init(_ traffic: Traffic) {
      requests = traffic.requests
      visits = traffic.visits
    }
  }

  struct Site: Encodable {
    var host: String
    var verdicts: [String: Amount]
    var apps: [App]
    var platforms: [String: Amount]
    var referrals: [String: Amount]
    var days: [Day]
    var rules: [Rule]
    var sameHostReferrals: [Pair]
    var coverage: Coverage
    var delivery: Delivery
  }

  struct App: Encodable {
    var app: String
    var verdicts: [String: Amount]
  }

  struct Day: Encodable {
    var day: JSONNullable<String>
    var verdicts: [String: Amount]
    var sameHost: Amount
  }

  struct Rule: Encodable {
    var app: String
    var detail: JSONPlace
    var list: String
    var rule: JSONNullable<Int>
    var pattern: String
    var excludes: Bool
    var requests: Int
    var visits: Int
    var shadowed: Int
    var fragmentDependent: Bool
  }

  struct Pair: Encodable {
    var from: String
    var to: String
    var visits: Int
  }

  struct Coverage: Encodable {
    var claimedNotImplemented: [Family]
    var excludedHeavy: [Family]
    var unclaimedHeavy: [Family]
    var implementedNotClaimed: [Family]
  }

  /// The names of the rule are left out where none decided.
  struct Family: Encodable {
    var path: String
    var requests: Int
    var visits: Int
    var app: String?
    var detail: JSONPlace?
    var rule: JSONNullable<Int>?
    var pattern: String?
  }

  struct Delivery: Encodable {
    var fetches: [Fetch]
  }

  struct Fetch: Encodable {
    var fetcher: String
    var path: String
    var status: Int
    var requests: Int
    var last: JSONNullable<String>
  }

  struct Host: Encodable {
    var host: String
    var requests: Int
  }

  struct Finding: Encodable {
    var code: String
    var severity: String
    var host: JSONNullable<String>
    var message: String
    var requests: Int
    var visits: Int
  }
}

/// A value that is written as `null` where there is none, so that a name is
/// always there.
struct JSONNullable<Value: Encodable>: Encodable {
  let value: Value?

  init(_ value: Value?) { self.value = value }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let value { try container.encode(value) } else { try container.encodeNil() }
  }
}

/// The place of an entry: its position, its key in the object form, or `null`
/// outside `details`.
struct JSONPlace: Encodable {
  let place: AssociationFile.Place

  init(_ place: AssociationFile.Place) { self.place = place }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch place {
    case .index(let index): try container.encode(index)
    case .key(let key): try container.encode(key)
    case .apps: try container.encodeNil()
    }
  }
}
