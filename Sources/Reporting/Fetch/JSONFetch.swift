internal import FileDelivery
internal import Foundations
internal import LinkAuditing
internal import UniversalLinks

extension [HostDelivery] {
  /// Writes the delivery of association files as one JSON document, schema `linkaudit.fetch/1`.
  package func writeJSON(to sink: @escaping OutputSink) throws {
    try JSONWriter.document(Self.jsonSchema, of: self, TableColumn.members, to: sink)
  }

  static let jsonSchema = "linkaudit.fetch/1"
}

extension TableColumn where Row == [HostDelivery] {
  static let members: [TableColumn] = [
    .objects("hosts", named: "host", "The hosts", TableColumn<HostDelivery>.members) { $0 }
  ]
}

extension TableColumn where Row == HostDelivery {
  fileprivate static let members: [TableColumn] = [
    .text("host", "The host as given") { $0.host },
    .objects(
      "copies", named: "copy", "The site's copy, the CDN's, or both",
      TableColumn<CopyJudgment>.members
    ) { $0.copies },
    .object(
      "difference", named: "difference",
      "The difference of the copies; none if one was not requested or is not a file",
      TableColumn<CopyDifference>.members
    ) { $0.difference },
    .objects(
      "findings", named: "finding", "The most severe first", TableColumn<DeliveryProblem>.members
    ) { $0.problems },
  ]
}

extension TableColumn where Row == CopyJudgment {
  fileprivate static let members: [TableColumn] = [
    .choice("from", "The server") { $0.copy.target.source },
    TableColumn("url", .pattern("^https://"), "The URL of the copy") { .text($0.copy.target.url) },
    .optional("askedAt", "The URL that was requested instead (`--base-url`)") {
      $0.copy.target.askedURL
    },
    .optionalCount("status", "The status; none if there was no answer", \.copy.response?.status),
    .optional("contentType", "`Content-Type`") { $0.copy.response?.contentType },
    .optional("contentEncoding", "`Content-Encoding`") { $0.copy.response?.contentEncoding },
    .optionalCount("bytes", "The decompressed size in bytes; none if the file is incomplete") {
      $0.content.flatMap { $0.isWhole ? $0.bytes.count : nil }
    },
    .moment("lastModified", "`Last-Modified`") { $0.copy.response?.lastModified },
    .optionalCount("age", "The time in a cache, in seconds") { $0.copy.response?.age },
    .optional("originFormat", "`Apple-Origin-Format` of the CDN's copy") {
      $0.copy.response?.originFormat
    },
    .moment("certificateEnd", "The end of the validity of the server's certificate") {
      $0.copy.certificateEnd
    },
    .object(
      "failure", named: "failure", "The reason why Apple's CDN has no file",
      [
        .optional("reason", "`Apple-Failure-Reason`") { $0.reason },
        .optional("details", "`Apple-Failure-Details`") { $0.details },
        .optional("from", "`Apple-From`") { $0.from },
        .optional("tryDirect", "`Apple-Try-Direct`") { $0.tryDirect },
      ]
    ) { $0.copy.response?.cdnFailure },
  ]
}

extension TableColumn where Row == CopyDifference {
  fileprivate static let members: [TableColumn] = [
    .truth("sameBytes", "Whether both copies have the same bytes") { $0.hasSameBytes },
    TableColumn(
      "sameVerdicts", .nullable(.truth), "Whether no URL changes its verdict; none if unknown"
    ) { $0.hasSameVerdicts.map { .truth($0) } ?? .some(.none) },
    .moment("copyTaken", "The approximate time at which the CDN took its copy") { $0.copyTaken },
    .moment("siteChanged", "The time of the last change of the site's file") { $0.siteChanged },
    .optional("summary", "The difference in a sentence") { $0.comparison?.summary },
    .objects(
      "changes", named: "change",
      "Changes once the site's file replaces the CDN's copy, with an example of each kind",
      TableColumn<DiffReport.PatternChange>.ofCopies
    ) { $0.comparison.map { DiffReport.changes($0) } ?? [] },
  ]
}

extension TableColumn where Row == DiffReport.PatternChange {
  static let ofCopies: [TableColumn] =
    urls(OperatingSystem.allCases, app: "The app; none for the site's verdict")
    + verdicts("The verdict of the CDN's copy", "The verdict of the site's file")
}

extension TableColumn where Row == DeliveryProblem {
  fileprivate static let members: [TableColumn] = [
    .text("code", "The code, which `linkaudit explain` explains") { $0.code },
    .severity("The severity") { $0.severity },
    TableColumn(
      "from", .nullable(.choice(DeliverySource.allCases.map(\.rawValue))),
      "The copy with the problem; none if it is a difference of copies"
    ) { .text($0.source?.rawValue) },
    .text("message", "The problem in a sentence or two") { $0.message },
    .text("why", "The reason why it matters") { $0.kind.meaning },
    .text("remedy", "The fix") { $0.remedy },
    .optional("location", "The target of the redirect") { $0.location },
    .optionalOrdinal("line", "The line of the file, from 1") { $0.position?.line },
    .optionalOrdinal("column", "The column in that line, from 1") { $0.position?.column },
  ]
}

extension TableColumn {
  fileprivate static func moment(
    _ name: String, _ about: String, _ time: @escaping Getter<HTTPDate?>
  ) -> Self {
    let kind = TableValueKind.pattern("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$")
    return Self(name, .nullable(kind), about) { .text(time($0)?.description) }
  }
}
