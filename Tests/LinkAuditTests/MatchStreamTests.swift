import Foundation
import TestSupport
import Testing
import UniversalLinks

@testable import LinkAuditCommand
@testable import Reporting

@Suite struct MatchStreamTests {
  static func vectors() throws -> [(site: MatchSite, url: String, id: String)] {
    try MatchVector.bundled().map { vector in
      let file = try AssociationFile(decoding: vector.file)
      let matcher = LinkMatcher(file.asRead(by: vector.system))
      return (MatchSite(host: vector.host, matcher: matcher, apps: []), vector.url, vector.id)
    }
  }

  static func row(_ url: String, _ form: StreamForm) throws -> [UInt8] {
    switch form {
    case .tsv:
      Array(
        (url.replacing("\\", with: #"\\"#).replacing("\t", with: #"\t"#)
          .replacing("\n", with: #"\n"#) + "\n").utf8)
    case .jsonl: try JSONEncoder().encode(["url": url, "a": "url"]) + [0x0A]
    }
  }

  @Test(arguments: StreamForm.allCases)
  func vectorsHaveTheAnswersOfMatch(form: StreamForm) throws {
    let vectors = try Self.vectors()
    #expect(vectors.count > 250)
    for (site, url, id) in vectors {
      var stream = StreamAnswers(
        sites: [site], form: form, columns: StreamAnswers.Column.allCases, repeatsRows: false)
      let row = try Self.row(url, form)
      let answers = stream.answer(row, row.indices)
      let output = answers.text
      // A path belongs to the host.
      let whole = url.hasPrefix("/") ? "https://\(site.host ?? "")\(url)" : url
      let question = MatchQuestion(
        text: Array(whole.utf8), matcher: site.matcher, url: LinkURL(whole, host: site.host))
      let verdict = question.evaluation.siteVerdict
      let decision = question.matcher.decisions(of: question.evaluation).first {
        $0.verdict == verdict && (verdict == .claimed || verdict == .excluded)
      }
      switch form {
      case .tsv:
        let values = String(decoding: output.dropLast(), as: UTF8.self)
          .split(separator: "\t", omittingEmptySubsequences: false)
        #expect(values.count == 4 && values[0] == verdict.rawValue, "\(id)")
        #expect(values[1] == decision?.app.text ?? #"\N"#, "\(id)")
        #expect(values[3] == decision?.rule?.position.map { String($0) } ?? #"\N"#, "\(id)")
      case .jsonl:
        let answer = try #require(
          try JSONSerialization.jsonObject(with: Data(output)) as? [String: [String: Any]])
        #expect(answer["result"]?["verdict"] as? String == verdict.rawValue, "\(id)")
        #expect(answer["result"]?["app"] as? String == decision?.app.text, "\(id)")
        #expect(answer["result"]?["rule"] as? Int == decision?.rule?.position, "\(id)")
      }
      #expect(answers.rows == 1 && answers.unread == 0)
    }
  }

  @Test func workersDoNotMatter() throws {
    let file = try AssociationFile(
      #"{"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.app"],"components":[{"/":"/buy/*"}]}]}}"#
    )
    let site = MatchSite(host: "www.example.com", matcher: LinkMatcher(file), apps: [])
    var generator = SeededGenerator()
    let rows = (0..<20_000).map { _ in
      let length = Int.random(in: 0...30, using: &generator)
      return Bool.random(using: &generator)
        ? "/buy/" + String(repeating: "x", count: length) + "\tid\n" : "\n"
    }
    let bytes = Array(rows.joined().utf8)
    let outputs = [1, 2, 7].map { jobs in
      MatchStream(
        sites: [site], form: .tsv, columns: [.verdict], repeatsRows: true, jobs: jobs
      ).answer(bytes, bytes.indices).flatMap(\.text)
    }
    #expect(outputs[1] == outputs[0] && outputs[2] == outputs[0])
    let claimed = rows.map { $0 == "\n" ? "\tineligible\n" : $0.dropLast() + "\tclaimed\n" }
    #expect(outputs[0] == Array(claimed.joined().utf8))
  }

  @Test(
    arguments: [
      (#"{"url":"/a"}"#, "/a"),
      (#" { "x" : [1,{"url":2},"]"], "url" : "\/a\u00e9\ud83d\ude00\"" } "#, "/aé😀\""),
      (#"{"url":"a","url":"b"}"#, "b"), (#"{"url":null,"x":true}"#, ""),
      (#"{"x":{},"url":"\ud800"}"#, "\u{FFFD}"),
    ]
      + [
        "", "{", "{}", "[]", #"{"url"}"#, #"{"url":}"#, #"{"url":1}"#, #"{"url":"a}"#,
        #"{"url":"a"} x"#, #"{"url":"a",}"#, #"{"url":"\x41"}"#, #"{"url":"\u12"}"#,
        #"{"x":[1,"url":"a"}"#, #"{"x":,"url":"a"}"#, #"{"url":["a"]}"#, #"{"url":"a"}}"#, #"{"a\"#,
      ].map { ($0, nil) } as [(String, String?)])
  func urlsOfObjectsAreFound(row: String, url: String?) {
    var found: [UInt8] = []
    #expect(StreamForm.jsonl.findURL(in: Array(row.utf8).span, &found) == (url != nil))
    #expect(String(decoding: found, as: UTF8.self) == url ?? "")
  }
}
