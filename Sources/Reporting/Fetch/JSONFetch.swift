package import FileDelivery
internal import Foundations
internal import LinkAuditing
internal import UniversalLinks

/// The delivery of association files, as one JSON document, schema `linkaudit.fetch/1`.
package struct JSONFetch {
  static let schema = "linkaudit.fetch/1"

  let deliveries: [HostDelivery]

  package init(deliveries: [HostDelivery]) {
    self.deliveries = deliveries
  }

  package func write(to sink: @escaping OutputSink) throws {
    var json = JSONWriter(.lines, to: sink)
    json.object { json in
      json.member("schema", Self.schema)
      json.member("hosts", objects: deliveries) { json, delivery in
        json.member("host", delivery.host)
        json.member("copies", objects: delivery.copies) { write($1, to: &$0) }
        if let difference = delivery.difference {
          json.member("difference") { write(difference, to: &$0) }
        } else {
          json.member("difference", nil as String?)
        }
        json.member("findings", objects: delivery.problems) { write($1, to: &$0) }
      }
    }
    try json.finish()
  }

  private func write(_ judgement: CopyJudgement, to json: inout JSONWriter) {
    let (target, response) = (judgement.copy.target, judgement.copy.response)
    let content = judgement.content
    json.member("from", target.source.rawValue)
    json.member("url", target.url)
    json.member("askedAt", target.askedURL)
    json.member("status", response?.status)
    json.member("contentType", response?.contentType)
    json.member("contentEncoding", response?.contentEncoding)
    json.member("bytes", content.flatMap { $0.isWhole ? $0.bytes.count : nil })
    json.member("lastModified", response?.lastModified?.description)
    json.member("age", response?.age)
    if let failure = response?.cdnFailure {
      json.member("failure") { json in
        json.member("reason", failure.reason)
        json.member("details", failure.details)
        json.member("from", failure.from)
        json.member("tryDirect", failure.tryDirect)
      }
    } else {
      json.member("failure", nil as String?)
    }
  }

  private func write(_ difference: CopyDifference, to json: inout JSONWriter) {
    json.member("sameBytes", difference.hasSameBytes)
    if let hasSameVerdicts = difference.hasSameVerdicts {
      json.member("sameVerdicts", hasSameVerdicts)
    } else {
      json.member("sameVerdicts", nil as String?)
    }
    json.member("copyTaken", difference.copyTaken?.description)
    json.member("siteChanged", difference.siteChanged?.description)
    json.member("summary", difference.comparison?.summary)
    json.member(
      "changes", objects: difference.comparison.map { DiffReport.changes($0) } ?? []
    ) { json, change in
      json.member("url", change.change.url)
      json.member("os", change.system.rawValue)
      json.member("app", change.app?.text)
      json.member("from", change.change.old.verdict.rawValue)
      json.member("to", change.change.new.verdict.rawValue)
    }
  }

  private func write(_ problem: DeliveryProblem, to json: inout JSONWriter) {
    json.member("code", problem.code)
    json.member("severity", problem.severity.rawValue)
    json.member("from", problem.source?.rawValue)
    json.member("message", problem.message)
    json.member("why", problem.kind.meaning)
    json.member("remedy", problem.remedy)
    json.member("location", problem.location)
    json.member("line", problem.position?.line)
    json.member("column", problem.position?.column)
  }
}
