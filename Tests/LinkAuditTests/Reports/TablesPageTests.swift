import Testing

@testable import Reporting

/// Documentation/Tables.md is generated from the declarations of tables.
@Suite struct TablesPageTests {
  /// `RECORD_DOCUMENTATION=1 swift test` rewrites the page.
  @Test func pageIsCurrent() throws { try expectDocument(Self.page, at: "Tables.md") }

  @Test func namesAreUniqueAndPlain() {
    for names in [Report.tables.map(\.name), DiffReport.tables.map(\.name)] {
      #expect(Set(names).count == names.count)
      for name in names { #expect(name.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil) }
    }
  }

  static let page =
    """
    # Tables

    Every table has one name: `same-host-referrals` is `--table same-host-referrals`, the file
    `same-host-referrals.csv`, the array `sameHostReferrals` in JSON, and the `type`
    `sameHostReferrals` in NDJSON. Columns have the same names in all formats. Numbers of rows add
    up. This page is made from the declarations of the tables.

    - `host` is in each row of CSV and NDJSON where the table has one; in JSON, the site has it.
    - A column marked *rare* is in CSV only if a row has a value.
    - JSON puts columns marked *in NAME* into an object of that name.
    - Where text is separated by spaces in CSV, JSON has an array.

    ## Tables of `report`


    """ + Report.tables.map(section).joined(separator: "\n")
      + """

      ## Tables of `diff`

      Without logs, only `patterns` and `findings` have rows.


      """ + DiffReport.tables.map(section).joined(separator: "\n")
      + """

      ## Rows of `digest --format ndjson`

      Each line is an object; `row` names its kind. `day` is `null` for requests without a time.


      """
    + SchemaDocument.digestRows.map { section("row " + $0.name, $0.about, $0.columns) }
    .joined(separator: "\n")

  private static func section<Source>(_ table: Table<Source>) -> String {
    section(
      table.name, table.about, table.columns,
      first: table.isPerSite ? ["| `host` | text | The host |"] : [])
  }

  private static func section(
    _ name: String, _ about: String, _ columns: [any ColumnDeclaration], first: [String] = []
  ) -> String {
    var lines = ["### \(name)", "", about, "", "| column | values | meaning |"]
    lines += ["| --- | --- | --- |"] + first
    for column in columns {
      var values = column.kind.words
      if column.presence == .rarely { values += ", *rare*" }
      if column.kind.isOnlyInJSON { values += ", not in CSV" }
      if column.presence == .onlyInCSV { values += ", only in CSV" }
      if let parent = column.member?.parent { values += ", *in \(parent)*" }
      lines.append("| `\(column.name)` | \(values) | \(column.about) |")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension TableValueKind {
  fileprivate var words: String {
    switch self {
    case .count: "number"
    case .integer(let from, _): "number from \(from)"
    case .text: "text"
    case .pattern(let pattern):
      !pattern.contains("[0-9]") ? "text" : pattern.contains("T") ? "time, RFC 3339" : "day"
    case .truth: "`true` or `false`"
    case .choice(let values): values.map { "`\($0)`" }.joined(separator: ", ")
    case .texts: "texts, separated by spaces"
    case .list, .object, .byName: "see the schema"
    case .counts: "numbers by name, such as `404=20`"
    case .detail: "number or text"
    case .definition("verdict"): "`claimed`, `excluded`, `unclaimed`, `ineligible`"
    case .definition("severity"): "`error`, `warning`, `note`"
    case .definition: "see the schema"
    case .nullable(let kind): kind.words + ", or nothing"
    }
  }
}
