import Foundation
import Testing

@testable import LinkAuditing
@testable import Reporting
@testable import UniversalLinks

@Suite struct DocumentTests {
  private static let hostile = "\u{1B}[31m<b>|*x*\u{202E}</b>"

  private static let columns: [TableColumn<Int>] = [
    .shown("Path", .code) { _ in .code("/path/" + hostile) },
    .shown("Visits", .number) { .number($0) },
    .shown("Only in pages", .number, isWide: true) { .number($0 * 1_000) },
    .shown("Empty") { _ in .text("") },
  ]

  private static func document(_ text: String, rows: Int = 3) -> Document {
    let whole = Traffic(requests: 10, visits: 5)
    let table = DocumentTable("Table", columns, Array(1...rows))
    let finding = Finding(
      kind: DiagnosticCatalog.findings.kinds[0], severity: .warning, host: nil,
      message: "Message \(text).", traffic: whole, visitsToWin: 3, remedy: "Remedy \(text).")
    let problem = Finding(
      kind: finding.kind, severity: .note, host: nil, message: "Problem \(text).",
      traffic: Traffic(), visitsToWin: nil, remedy: "Cure \(text).")
    return Document(
      relation: "a report on ", subject: "\(code: text)", period: "2026-06-01",
      sources: [Document.Fact("file", "\(code: text)")], filter: "Only \(text).",
      start: [
        .paragraph("Alarm \(text)", .alarm),
        .paragraph("Lead \(code: text) of \(path: text)", .lead),
        .shares(
          Document.Shares(
            title: "Shares", whole: whole,
            rows: [
              Document.Shares.Row("Row \(text)", whole, .claimed),
              Document.Shares.Row("Detail", whole, isNested: true, isDetail: true),
            ])), .findings(Document.FindingList(findings: [finding], isStart: true)),
      ]
    ) {
      [
        Document.Section(id: "one", title: "Section \(text)", key: text) {
          [
            .heading("Heading \(text)", key: text), .list(["Item \(text)"]),
            .facts([Document.Fact("Fact", Prose(text))]), .table(table), .table(table),
            .code(["Code \(text)"]), .findings(Document.FindingList(findings: [finding])),
            .problems([
              Document.Problem(
                diagnostic: problem, place: "3:14", excerpt: { _ in ["^^"] },
                related: ["Related \(text)"])
            ]),
          ]
        }
      ]
    }
  }

  /// The outputs of all writers, in which tests look for words and paths as the document has them: a
  /// writer escapes only characters that would be mark-up where they are.
  static func written(_ document: Document) -> (text: String, page: String, markdown: String) {
    let text = document.text(top: 2, style: Style(isTerminal: false))
    return (text, document.html(top: 2), document.markdown(top: 2, findingLimit: 1))
  }

  @Test func allWritersHaveTheSameOrder() throws {
    let (text, page, markdown) = Self.written(Self.document("abc"))
    for output in [text, page, markdown] {
      var rest = output[...]
      for word in [
        "abc", "Alarm abc", "Lead ", "Shares", "Row abc", "Message abc.", "Remedy abc.",
        "Section abc", "Heading abc", "Item abc", "Fact", "/path/", "Code abc", "Problem abc.",
        "Cure abc.",
      ] {
        let range = try #require(rest.range(of: word), "\(word) is not in order in \(output)")
        rest = rest[range.upperBound...]
      }
    }
  }

  @Test func nothingIsObeyed() {
    let (text, page, markdown) = Self.written(Self.document(Self.hostile))
    for output in [text, page, markdown] {
      #expect(!output.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
    }
    // Code is no mark-up, whatever it has.
    let lines = markdown.split(separator: "\n").filter { !$0.hasPrefix("Code ") }
    #expect(!page.contains("<b>") && !lines.contains { $0.contains("|*x") })
    let long = Self.written(Self.document(String(repeating: "word ", count: 200))).text
    #expect(
      long.split(separator: "\n").filter { !$0.contains("Code") }.allSatisfy { $0.count <= 80 })
  }

  /// Entries without blocks take a line of a text each, and the subject is below them.
  @Test func listsHaveTheirSubjectLast() {
    let fact = Document.Block.facts([Document.Fact("Fact", "one", "two")])
    let sections = [[], [], [fact]].enumerated().map { index, blocks in
      Document.Section(
        id: "\(index)", title: "Entry \(String(index))", key: "no problems", form: .entry
      ) { blocks }
    }
    let document = Document(subject: "no problems in 3 files") { sections }
    let (text, page, markdown) = Self.written(document)
    #expect(
      text == """
        Entry 0  no problems
        Entry 1  no problems

        Entry 2
          Fact  one
                two

          no problems

        no problems in 3 files

        """)
    #expect(
      markdown == """
        ## Universal links: no problems in 3 files

        ### Entry 0

        No problems.

        ### Entry 1

        No problems.

        ### Entry 2

        - Fact: one, two

        """)
    #expect(page.contains("<dd>one</dd><dd>two</dd>") && page.contains("Entry 1"))
  }

  @Test func rowsAndColumnsDependOnTheRoom() {
    let (text, page, markdown) = Self.written(Self.document("abc"))
    #expect(text.contains("… and 1 more (--top)") && markdown.contains("… and 1 more row"))
    #expect(page.contains("1 more row is not in this page"))
    #expect(!text.contains("only in pages") && page.contains("Only in pages"))
    #expect(!text.contains("empty"))
    // Only a full text has room for the details of shares.
    #expect(text.contains("  Detail") && !page.contains("Detail") && !markdown.contains("Detail"))
    // The second table has its title; the first one has that of the heading.
    #expect(text.split(separator: "\n").count { $0 == "  Table" } == 1)
    #expect(markdown.components(separatedBy: "**Table**").count == 2)
  }

  @Test func theStartIsTheBeginning() {
    let document = Self.document("abc")
    let start = document.text(isFull: false, top: 2, style: Style(isTerminal: false))
    #expect(start.contains("Message abc.") && !start.contains("Section abc"))
    #expect(!document.markdown(isFull: false, top: 2, findingLimit: 1).contains("<details>"))
    // A finding at the start is not repeated.
    #expect(Self.written(document).text.components(separatedBy: "Message abc.").count == 2)
  }

  @Test func rowsThatAreTooWideAreParagraphs() {
    let long = String(repeating: "long", count: 12)
    let columns: [TableColumn<Int>] =
      [
        .count("visits", "Visits") { $0 }.headed("Visits"),
        .text("name", "The name") { _ in "/name" }.headed(path: "Name", before: 1),
      ] + ["One", "Two"].map { title in TableColumn.shown(title) { _ in .text(long) } }
    let document = Document(
      subject: "x", start: [.table(DocumentTable("Table", columns, [7]))]
    ) { [] }
    let text = document.text(isFull: true, top: 10, style: Style(isTerminal: false))
    #expect(text.contains("  /name\n    visits 7, one \(long), two\n    \(long)\n"))
  }
}
