internal import Foundations
internal import LinkAuditing
internal import TrafficDigest

extension SiteVersion {
  /// The name, with the number that JSON, CSV and NDJSON have.
  var name: String { "version \(number)" }

  /// The period in which it was in force: `until 2026-06-02`, `2026-06-03 to 2026-06-08`,
  /// `since 2026-06-09`.
  var period: String {
    switch (first, last) {
    case (let first?, let last?): first == last ? "\(first)" : "\(first) to \(last)"
    case (let first?, nil): "since \(first)"
    case (nil, let last?): "until \(last)"
    case (nil, nil): "always"
    }
  }

  /// Name, time and file: `version 0, until 2026-06-02: old.json`.
  var title: String { "\(name), \(period)" + (filePath.map { ": \($0)" } ?? "") }
}

extension SiteVersion? {
  /// The version before a rule, if there are several.
  var mark: String { map { "v\($0.number) " } ?? "" }
}

extension ComparisonGap {
  /// The reason in a sentence.
  var sentence: String {
    switch self {
    case .noReport: "Not compared: there is no report from before the last ingest."
    case .otherOptions:
      "Not compared: the reports from before the last ingest had other options."
    }
  }
}

extension AuditChange {
  /// Returns the comparison of the findings with this report in a few words.
  ///
  /// An example is `since the report of 2026-11-12: 2 new, 1 worse, 3 gone`.
  ///
  /// - Parameters:
  ///   - findings: The current findings.
  ///   - gone: The number of findings that are gone.
  /// - Returns: The number of findings of each change.
  func summary(of findings: [Finding], gone: Int) -> String {
    var parts = [Finding.Change.new, .worse, .better].compactMap { kind -> String? in
      let count = findings.count { $0.change == kind }
      return count > 0 ? "\(count.grouped) \(kind.rawValue)" : nil
    }
    if gone > 0 { parts.append("\(gone.grouped) gone") }
    return "since the report of \(at.day): "
      + (parts.isEmpty ? "nothing new" : parts.joined(separator: ", "))
  }

  /// Returns the findings that are gone and belong to no site of the report.
  ///
  /// They are about the input, or about a site that the report no longer has.
  func gone(besides sites: [SiteAudit]) -> [FindingRecord] {
    let hosts = Set(sites.map(\.host))
    return gone.filter { !hosts.contains($0.host ?? "") }
  }
}
