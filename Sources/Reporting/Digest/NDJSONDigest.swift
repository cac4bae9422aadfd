internal import AccessLogs
internal import Foundations
internal import LinkAuditing
package import TrafficDigest
internal import UniversalLinks

/// A digest as newline-delimited JSON, schema `linkaudit.digest-rows/1`: an object a line,
/// whose `row` says what it counts.
///
/// Numbers of lines of one kind add up, over any number of digests that have no log in
/// common. A name has values of one type in all lines, so that they make one table.
package struct NDJSONDigest {
  static let schema = "linkaudit.digest-rows/1"

  let digest: TrafficDigest

  /// The number of workers.
  let jobs: Int

  /// The directory for spill files.
  let temporaryDirectory: String

  package init(digest: TrafficDigest, jobs: Int, temporaryDirectory: String) {
    self.digest = digest
    self.jobs = jobs
    self.temporaryDirectory = temporaryDirectory
  }

  package func write(to sink: @escaping OutputSink) throws {
    var json = JSONWriter(.compact, to: sink)
    json.row("digest") { json in
      json.member("schema", Self.schema)
      json.member("from", digest.times?.lowerBound.description)
      json.member("to", digest.times?.upperBound.description)
    }
    writeInputs(to: &json)
    for daily in digest.dailyClients {
      for count in daily.counts {
        json.row("clients", daily.day) { $0.members(of: count, TableColumn.client) }
      }
    }
    for daily in digest.dailyFetches {
      for fetch in daily.counts {
        json.row("fetches", daily.day) { json in
          json.member("host", fetch.host)
          json.members(of: fetch, TableColumn.fetch)
        }
      }
    }
    try digest.forEachSortedTarget(
      jobs: jobs, temporaryDirectory: temporaryDirectory
    ) { target in
      write(target, to: &json)
      // Nobody may be reading any more.
      try json.check()
    }
    try json.finish()
  }

  private func writeInputs(to json: inout JSONWriter) {
    for input in digest.inputs {
      // The digest that it is in isn't named: rows are the same, wherever they come from.
      json.row("inputs") { json in
        json.member("path", input.path)
        json.member("inputStatus", InputStatus(input.damage).rawValue)
        // Where the damage is, in bytes of the file.
        json.member("offset", input.damage?.offset)
        json.member("format", input.format?.name)
        json.members(of: input.tally, TableColumn.tally { $0 })
        json.member("from", input.times?.lowerBound.description)
        json.member("to", input.times?.upperBound.description)
      }
    }
    for reason in RejectionReason.allCases {
      guard let lines = digest.rejections[reason] else { continue }
      json.row("rejections") { json in
        json.member("reason", reason.rawValue)
        json.member("lines", lines)
      }
    }
  }

  private func write(_ target: TrafficDigest.TargetCounts, to json: inout JSONWriter) {
    var encoded: [UInt8] = []
    PercentEncoding.append(encodingTarget: target.target.span, to: &encoded)
    let text = String(decoding: encoded, as: UTF8.self)
    for (dimensions, count) in target.requests {
      json.row("requests", dimensions.day) { json in
        json.member("host", target.host)
        json.member("target", text)
        json.member("method", dimensions.isGet ? "get" : "other")
        json.member("platform", dimensions.platform.name)
        json.member("referral", dimensions.referral.name)
        json.member("status", Int(dimensions.status))
        json.member("requests", count)
      }
    }
    for (page, dimensions, count) in target.visits {
      json.row("pageVisits", dimensions.day) { json in
        json.member("host", target.host)
        json.member("target", text)
        json.member("page", String(decoding: ReferrerTemplate.encoded(page), as: UTF8.self))
        json.member("platform", dimensions.platform.name)
        json.member("status", Int(dimensions.status))
        json.member("visits", count)
      }
    }
  }
}

extension JSONWriter {
  /// A line that counts something.
  fileprivate mutating func row(_ kind: String, _ members: (inout JSONWriter) -> Void) {
    object { json in
      json.member("row", kind)
      members(&json)
    }
  }

  /// A line that counts something on a day.
  fileprivate mutating func row(
    _ kind: String, _ day: Day?, _ members: (inout JSONWriter) -> Void
  ) {
    row(kind) { json in
      json.member("day", day?.description)
      members(&json)
    }
  }
}
