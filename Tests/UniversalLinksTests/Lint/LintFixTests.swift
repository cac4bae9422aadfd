import Foundation
import TestSupport
import Testing

@testable import Foundations
@testable import UniversalLinks

@Suite struct LintFixTests {
  private static let options = LintOptions(host: "www.example.com", minimumRelease: nil)
  private static let app = "A1B2C3D4E5.com.example.tea"

  private static func file(_ members: String) -> String {
    #"{"applinks": {"details": [{"appIDs": ["\#(app)"], \#(members)}]}}"#
  }

  /// Files from the web, where they are beside the package.
  static let realFiles: [(name: String, bytes: [UInt8])] = {
    let folder = URL(filePath: TestRun.sharedFolder + "/corpus")
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    return (paths ?? []).filter { $0.contains("aasa/") }.sorted().compactMap { path in
      (try? Data(contentsOf: folder.appendingPathComponent(path))).map { (path, Array($0)) }
    }
  }()

  static func check(_ bytes: [UInt8], _ name: String) {
    let result = AssociationFile.lint(bytes, options: options)
    // A file beyond the limits of exploration takes long, and proves nothing.
    guard bytes.count < 20_000 else { return }
    func errors(_ result: LintResult) -> [String: Int] {
      Dictionary(grouping: result.diagnostics.filter { $0.severity == .error }, by: \.code)
        .mapValues(\.count)
    }
    let known = errors(result)
    func newErrors(_ after: LintResult) -> [String: Int] {
      errors(after).filter { $0.value > known[$0.key, default: 0] }
    }
    func remark(_ fixes: String, _ text: [UInt8]) -> String {
      "\(name): \(fixes): \(String(decoding: text.prefix(600), as: UTF8.self))"
    }
    let isReadable = (try? AssociationFile(decoding: bytes)) != nil
    for diagnostic in result.diagnostics {
      guard let fix = diagnostic.fix else { continue }
      for (edit, next) in zip(fix.edits, fix.edits.dropFirst()) {
        #expect(edit.range.upperBound <= next.range.lowerBound, "\(name): edits overlap")
      }
      let fixed = result.applying([fix])
      let after = AssociationFile.lint(fixed, options: options)
      let text = LintFix.apply(fix.edits, to: result.text)
      let about = remark("\(diagnostic.code), \(fix.title)", text)
      if isReadable {
        #expect((try? AssociationFile(decoding: fixed)) != nil, "not readable, \(about)")
      }
      let count = result.diagnostics.count { $0.code == diagnostic.code }
      let left = after.diagnostics.count { $0.code == diagnostic.code }
      #expect(left < count || !result.isComplete, "still there, \(about)")
      #expect(newErrors(after).isEmpty, "new \(newErrors(after)), \(about)")
      if fix.applicability == .safe { expectSameVerdicts(bytes, fixed, about) }
    }
    for applicabilities in [[.safe], [.safe, .suggestion]] as [Set<LintFix.Applicability>] {
      let fixed = AssociationFile.fix(bytes, options: options, applicabilities)
      let again = AssociationFile.fix(fixed.bytes, options: options, applicabilities)
      let about = remark("all fixes", fixed.bytes)
      #expect(
        again.bytes == fixed.bytes && again.applied.isEmpty,
        "fixed twice: \(again.applied.map { $0.code + $0.message }), \(about)")
      guard applicabilities == [.safe], result.isComplete else { continue }
      #expect(newErrors(fixed.result).isEmpty, "new \(newErrors(fixed.result)), \(about)")
      expectSameVerdicts(bytes, fixed.bytes, about)
    }
  }

  private static func expectSameVerdicts(_ old: [UInt8], _ new: [UInt8], _ about: String) {
    guard let before = try? AssociationFile(decoding: old) else { return }
    guard let after = try? AssociationFile(decoding: new) else {
      Issue.record("not readable, \(about)")
      return
    }
    for system in OperatingSystem.allCases {
      let changes = before.asRead(by: system).changes(
        to: after.asRead(by: system), host: "www.example.com")
      #expect(
        changes.isEmpty, "\(changes.site.prefix(1)) \(changes.apps.prefix(1)) \(system), \(about)")
    }
  }

  @Test func fixesOfRealFilesHold() throws {
    for (name, bytes) in Self.realFiles { Self.check(bytes, name) }
  }

  @Test func fixesOfRandomFilesHold() throws {
    var random = SeededGenerator()
    var sources = LintRuleTests.rulesWithExamples.compactMap { rule in
      rule.example.map { LintRuleTests.diagnostics(in: $0).1 }
    }
    sources += Self.realFiles.map(\.bytes).filter { $0.count < 3_000 }
    let pieces = [
      ",", "]", "}", "{", "[", "\"", "*", "?", "/", "NOT ", " ", "\n", "#", "%", "“", "//x\n",
      "\"exclude\": true", "\"/\": \"a\"", "\\", "$(x)", "?a=b",
    ].map { Array($0.utf8) }
    for number in 0..<TestRun.size(full: 10_000, usual: 100) {
      var bytes = random.pick(sources)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes.insert(contentsOf: random.pick(pieces), at: place)
        case 1:
          bytes.removeSubrange(
            place..<min(bytes.count, place + Int.random(in: 1...3, using: &random)))
        default:
          if place < bytes.count { bytes[place] = UInt8.random(in: 0x20..<0x7F, using: &random) }
        }
      }
      Self.check(bytes, "file \(number)")
    }
  }

  @Test(
    arguments: rows(
      #"""
      {"a": [1, 2,]} => {"a": [1, 2]}
      {\#r⏎  "a": [\#r⏎    1\#r⏎}\#r⏎ => {\#r⏎  "a": [\#r⏎    1\#r⏎  ]\#r⏎}\#r⏎
      {"a": {"b": 1} => {"a": {"b": 1}}
      {"a": 1}}⏎ => {"a": 1}⏎
      {"a": “b”} => {"a": "b"}
      {"a": [NOT "/x", NOT  "/y"]} => {"a": ["NOT /x", "NOT /y"]}
      {'it\'s': 'say "x"', "b”: ‘c’} => {"it's": "say \"x\"", "b": "c"}
      {"a": ["/b, "/c", /d/*", /e/*, /*, f:g{h}]} => {"a": ["/b", "/c", "/d/*", "/e/*", "/*", "f:g{h}"]}
      {"a": [⏎  "/b,⏎  "/c⏎]} => {"a": [⏎  "/b",⏎  "/c"⏎]}
      {"a": ["/b⏎   /c"]} => {"a": ["/b/c"]}
      {a: {/: 1, ?: {}, #: "x"}} => {"a": {"/": 1, "?": {}, "#": "x"}}
      {&quot;a&quot;: &quot;b&amp;c&quot;} => {"a": "b&c"}
      {\"a\": {\n\"b\": 1}} => {"a": {⏎"b": 1}}
      "{\"a\": 1}" => {"a": 1}
      {"a": [True, NONE, undefined, yes, tea]} => {"a": [true, null, null, true, "tea"]}
      {;"a": [1,, 2, , 3];, "b" = 4, ;"c"␣=> 5} => {"a": [1, 2,  3], "b" : 4, "c" : 5}
      {⏎  # one⏎  "a": 1 # two⏎}⏎ => {⏎  "a": 1⏎}⏎
      {"a: "/**",⏎  "b": [/*",⏎  "*/c"]} => {"a": "/**",⏎  "b": ["/*",⏎  "*/c"]}
      {\#u{A0}"a":\#u{1}\#u{2003}[1]\#u{FEFF}} => { "a": [1]}
      {"a": 1}\#0⏎\#u{200B}\#u{FEFF} => {"a": 1}⏎
      {"a": "/b\*", "c": "\d"} => {"a": "/b*", "c": "\\d"}
      {'a': ['/b\', '/c'], 'd': 'an \'e\''} => {"a": ["/b", "/c"], "d": "an 'e'"}
      {"a": ["/b\", "/c\"], "d": "an \"e\"} => {"a": ["/b", "/c"], "d": "an \"e\""}
      {"a": {"b": [1]]}} => {"a": {"b": [1]}}
      {"a": {"b": [1}} => {"a": {"b": [1]}}
      {"a": {"b": []}}, "c": 1} => {"a": {"b": []}, "c": 1}
      "a": {"b": 1} => {"a": {"b": 1}}
      "a": {"b": 1}} => {"a": {"b": 1}}
      {"a": [{"b": 1, {"c": 2}]} => {"a": [{"b": 1}, {"c": 2}]}
      {"a": {{"b": 1}, {"c": 2}}, "d": {"e", "f"}} => {"a": [{"b": 1}, {"c": 2}], "d": ["e", "f"]}
      {"a": ["b": 1], "c": 2} => {"a": {"b": 1}, "c": 2}
      {"a": [1, 2, "b": 3} => {"a": [1, 2], "b": 3}
      {"a": [,], "b": {,}, "c": [, 1]} => {"a": [], "b": {}, "c": [ 1]}
      {"a": 1} {"b": 2} => {"a": 1} {"b": 2}
      [1] x => [1] x
      {"a"b": 1} => {"a"b": 1}
      HTTP/1.1 301 Moved\#r⏎\#r⏎HTTP/2 200\#r⏎nel: {"max_age":1}\#r⏎\#r⏎{"a": 1}⏎ => {"a": 1}⏎
      """#))
  func syntaxIsFixed(_ text: String, _ expected: String) {
    let fixed = AssociationFile.fix(Array(text.utf8), [.safe, .suggestion])
    #expect(String(decoding: fixed.bytes, as: UTF8.self) == expected)
  }

  @Test func manyMistakesOfALargeFileAreFixed() {
    let paths = (0..<450).map { "\"/" + String(repeating: "a", count: 150) + "\($0)\"" }
    let fixed = AssociationFile.fix(Array("{\"a\": [\(paths.joined(separator: "\n"))]}".utf8))
    #expect(fixed.bytes == Array("{\"a\": [\(paths.joined(separator: ",\n"))]}".utf8))
  }

  /// A file that was saved in another encoding becomes UTF-8 as a suggestion, where each byte is a
  /// character.
  @Test(
    arguments: [
      ([0xE9], "é"), ([0xC3, 0xA9, 0xE9], "éé"), ([0x80, 0x92], "€’"), ([0x81], nil),
    ] as [([UInt8], String?)])
  func otherEncodingsAreRead(_ bytes: [UInt8], _ expected: String?) throws {
    let file = Array(#"{"a": ""#.utf8) + bytes + Array(#""}"#.utf8)
    let mistake = try #require(
      AssociationFile.lint(file).diagnostics.first { $0.code == "not-utf-8" })
    #expect(mistake.fix.map(\.applicability) == expected.map { _ in .suggestion })
    let fixed = AssociationFile.fix(file, [.safe, .suggestion]).bytes
    #expect(fixed == expected.map { Array(#"{"a": "\#($0)"}"#.utf8) } ?? file)
    #expect(AssociationFile.fix(file).bytes == file)
  }

  /// A rule with a query in its path opens, once it is fixed, the links that its author had in mind, with
  /// the items in any order, and not others.
  @Test func queriesAreFixedAsTheirAuthorsMean() throws {
    var random = SeededGenerator()
    let values = ["1", "a*", "*", "", "a?c"]
    for number in 0..<TestRun.size(full: 5_000, usual: 200) {
      let path = random.pick(["/a", "/b/*", "/c/?", ""])
      var items = ["id", "q", "utm_source"].shuffled(using: &random)
        .prefix(Int.random(in: 1...3, using: &random))
        .map { ($0, random.pick(values)) }
      // Items that occur twice, or have no value, keep their order.
      let isUnusual = Int.random(in: 0..<4, using: &random) == 0
      if isUnusual { items.append((items[0].0, "2")) }
      let pattern = path + "?" + items.map { $0.0 + "=" + $0.1 }.joined(separator: "&")
      func link(_ items: [(String, String)]) -> String {
        "https://www.example.com"
          + (path.isEmpty ? "/" : path.replacing("*", with: "xy").replacing("?", with: "z")) + "?"
          + items.map { item in
            item.0 + "="
              + (["", "*"].contains(item.1) && !isUnusual
                ? "5" : item.1.replacing("*", with: "6").replacing("?", with: "b"))
          }.joined(separator: "&")
      }
      for rules in [
        #""components": [{"/": "\#(pattern)"}]"#, #""paths": ["/other", "\#(pattern)"]"#,
        #""components": [{"/": "\#(pattern)", "?": {"own": "7"}}]"#,
      ] {
        let file =
          #"{"applinks": {"details": [{"appID": "A1B2C3D4E5.com.example.tea", \#(rules)}]}}"#
        let fixed = AssociationFile.fix(Array(file.utf8), [.safe, .suggestion])
        let about = "\(number): \(String(decoding: fixed.bytes, as: UTF8.self))"
        let hasOwn = rules.contains("own")
        guard !isUnusual || !hasOwn else { continue }
        #expect(!fixed.result.diagnostics.contains { $0.code == "query-in-path" }, "\(about)")
        let matcher = LinkMatcher(try AssociationFile(decoding: fixed.bytes))
        let meant = items + (hasOwn ? [("own", "7")] : [])
        for meant in isUnusual ? [meant] : [meant, meant.reversed()] {
          #expect(matcher.verdict(for: link(meant)) == .claimed, "\(link(meant)), \(about)")
        }
        let less = link(Array(items.dropLast()))
        #expect(matcher.verdict(for: less) != .claimed, "\(less), \(about)")
      }
    }
  }

  @Test(
    arguments: rows(
      #"""
      "components": [{"/": "/x?a=1", "?": {"b": "2"}}, {"/": "/a/*?x=*&z"}, {"/": "/b?c=d&c=e"}]
        => "components": [{"/": "/x", "?": {"a": "1", "b": "2"}}, {"/": "/a/*", "?": "x=*&z"}, {"/": "/b", "?": "c=d&c=e"}]
      "components": [{"/": "/x{2}/y"}] => "components": [{"/": "/xx/y"}]
      "paths": ["/app/*, /index.html", "/ok,1"] => "paths": ["/app/*", "/index.html", "/ok,1"]
      "paths": ["NOT /j/*, NOT /k/*"] => "paths": ["NOT /j/*", "NOT /k/*"]
      "paths": ["/d/* /e/*", "/f/*|/g/*"] => "paths": ["/d/*", "/e/*", "/f/*", "/g/*"]
      "components": [{"/": "/a/*;/b", "comment": "x"}]
        => "components": [{"/": "/a/*", "comment": "x"}, {"/": "/b", "comment": "x"}]
      "components": [{"/": "/help?topic=&id=*&x=1"}]
        => "components": [{"/": "/help", "?": {"topic": "?*", "id": "?*", "x": "1"}}]
      "paths": ["/docs/", "NOT ?param=value"]
        => "components": [{"/": "/docs/"}, {"/": "/", "?": {"param": "value"}, "exclude": true}]
      "paths": ["NOT/help/*", "NOT: /b", "NOT : /c", "! /d", "NOT: /e NOT: /f", "NOT, /g", "*"]
        => "paths": ["NOT /help/*", "NOT /b", "NOT /c", "NOT /d", "NOT /e", "NOT /f", "NOT /g", "*"]
      "components": ["not: /a", {"/": "NOT:/b"}, {"/": "*"}]
        => "components": [{"/": "/a", "exclude": true}, {"/": "/b", "exclude": true}, {"/": "*"}]
      "components": [{"/": "!/help/*"}] => "components": [{"/": "/help/*", "exclude": true}]
      "components": [{"/": "/buy#size"}] => "components": [{"/": "/buy", "#": "size"}]
      "components": [{"/": "/café"}] => "components": [{"/": "/caf%C3%A9"}]
      "paths": "/buy/*" => "paths": ["/buy/*"]
      "paths": [["/a", "/b"]] => "paths": ["/a", "/b"]
      "paths": [{"/": "/a", "exclude": true}, "*"] => "paths": ["NOT /a", "*"]
      "components": ["/a", "NOT /b", {"/": ["/c", "/d"], "exclude": true}, {"/": "*"}]
        => "components": [{"/": "/a"}, {"/": "/b", "exclude": true}, {"/": "/c", "exclude": true}, {"/": "/d", "exclude": true}, {"/": "*"}]
      "components": [{"/": "/a", "?": {"b": 5, "c": true}}, {"/": "^/d/(\\d+)/?$"}]
        => "components": [{"/": "/a", "?": {"b": "5", "c": "?*"}}, {"/": "/d/?*"}]
      "paths": ["/café, /thé;"] => "paths": ["/caf%C3%A9", "/th%C3%A9"]
      "paths": ["/buy/*;", "/x,"] => "paths": ["/buy/*", "/x"]
      "components": [{"/": "/s?q=?*#top"}, {"/": "/a?x=1&amp;y=*"}, {"/": "/b/:id?x=1"}, {"/": "https://www.example.com?z=1"}]
        => "components": [{"/": "/s", "?": {"q": "?*"}, "#": "top"}, {"/": "/a", "?": {"x": "1", "y": "?*"}}, {"/": "/b/?*", "?": {"x": "1"}}, {"/": "/", "?": {"z": "1"}}]
      "components": [{"/": "/a", "?": "b=1&amp;c=2"}, {"/": "/d/&lt;id&gt;"}, {"/": "/e?id&x=1"}]
        => "components": [{"/": "/a", "?": "b=1&c=2"}, {"/": "/d/?*"}, {"/": "/e", "?": "id&x=1"}]
      "components": [{"/": "/a", "#": "/b/:id"}, {"/": "/c", "?": "id=[id]&x=[0-9]+"}]
        => "components": [{"/": "/a", "#": "/b/?*"}, {"/": "/c", "?": "id=?*&x=?*"}]
      "components": [{"/": "/{en,de}/x", "exclude": true}, {"/": "/(a|b)/.*"}, {"/": "/c", "?": {"d": "{1,2}e"}}]
        => "components": [{"/": "/en/x", "exclude": true}, {"/": "/de/x", "exclude": true}, {"/": "/a/*"}, {"/": "/b/*"}, {"/": "/c", "?": {"d": "1e"}}, {"/": "/c", "?": {"d": "2e"}}]
      "paths": ["/{lang}/a", "/$[region]/b", "/{{lang}}/c", "/#{lang}/{id}", "/<lang>/d"]
        => "paths": ["/$(lang)/a", "/$(region)/b", "/$(lang)/c", "/$(lang)/?*", "/$(lang)/d"]
      "components": [{"/a/*": true}, {"/b/*": {"exclude": true}}, {"/c": true, "/d": false}]
        => "components": [{"/": "/a/*"}, {"/": "/b/*", "exclude": true}, {"/": "/c"}, {"/": "/d", "exclude": true}]
      "components": [{"/": "/a", "exclude": "on"}, {"/": "/b", "exclude": "no"}, {"/": "/c", "exclude": 1}, {"/": "/*"}]
        => "components": [{"/": "/a", "exclude": true}, {"/": "/b", "exclude": false}, {"/": "/c", "exclude": true}, {"/": "/*"}]
      "components": [{"/": "/a", "?": {"utm_*": "?*"}}, {"/": "/b", "?": {"?id": "1"}}]
        => "components": [{"/": "/a", "?": "*utm_*=*"}, {"/": "/b", "?": {"id": "1"}}]
      "components": [{"/": " /a", "percentEncoded": false}, {"/": " /b"}]
        => "components": [{"/": "/a", "percentEncoded": false}, {"/": "/b"}]
      "components": [{"/": "/a"}, {"/": "/*"}, {"/": "/help/*", "exclude": true}]
        => "components": [{"/": "/a"}, {"/": "/help/*", "exclude": true}, {"/": "/*"}]
      "compnents": [{"/": "/buy/*"}] => "components": [{"/": "/buy/*"}]
      "paths": ["/$lang/*", "/(region)/*"] => "paths": ["/$(lang)/*", "/$(region)/*"]
      "paths": ["/id/[0-9a-f]{4}", "^/a/(.*)/\\d+$", "/b/.+\\.html", "/c/{id:\\d{4}}", "/d/{id:[0-9]+}"]
        => "paths": ["/id/????", "/a/*/?*", "/b/?*.html", "/c/?*", "/d/?*"]
      "paths": ["/a/:id.html", "/b/{id}-{name}", "/c/[...rest]", "/d/[[...rest]]", "/e/:f-:g", "/h/{{id}}", "/i/#{id}"]
        => "paths": ["/a/?*.html", "/b/?*-?*", "/c/*", "/d/*", "/e/?*-?*", "/h/?*", "/i/?*"]
      "components": [{"/": "/a", "?": {"id": "?"}}] => "components": [{"/": "/a", "?": {"id": "?*"}}]
      "components": [{"/": "/a\#u{200B}b", "?": {"c": "\#u{A0}?*"}}, {"/": "\"/d&nbsp;\""}, {"/": "/é\#u{200D}é\#u{A0}g\#u{2060}"}]
        => "components": [{"/": "/ab", "?": {"c": "?*"}}, {"/": "/d"}, {"/": "/%C3%A9%E2%80%8D%C3%A9%C2%A0g"}]
      "components": [{"/": "/a?id=:id&x=[x]"}, {"/": "/b/:id&y=<y>"}]
        => "components": [{"/": "/a", "?": {"id": "?*", "x": "?*"}}, {"/": "/b/?*", "?": {"y": "?*"}}]
      """#))
  func rulesAreFixed(_ rules: String, _ expected: String) {
    let fixed = AssociationFile.fix(Array(Self.file(rules).utf8), [.safe, .suggestion])
    #expect(String(decoding: fixed.bytes, as: UTF8.self) == Self.file(expected))
    #expect(!fixed.result.diagnostics.contains { $0.severity == .error })
  }

  /// Values of `details` and what they become with all fixes; their content is checked in the same run.
  @Test(
    arguments: rows(
      #"""
      [{"appID": ["T"], "components": [{"/": "ab"}]}]
        => [{"appIDs": ["T"], "components": [{"/": "/ab"}]}]
      [{"appIDs": "T", "components": [{"/": "ab"}]}]
        => [{"appIDs": ["T"], "components": [{"/": "/ab"}]}]
      [{"T": {"paths": ["ab"]}}] => [{"appID": "T", "paths": ["/ab"]}]
      [{"T": {"components": [{"/": "ab"}]}, "T.x": {}}]
        => [{"appIDs": ["T"], "components": [{"/": "/ab"}]}, {"appID": "T.x"}]
      {"appID": "T", "paths": ["ab"]} => [{"appID": "T", "paths": ["/ab"]}]
      [{"appID": "T", "paths": ["/c?d=e", "ab", "/f?g=h"]}]
        => [{"appID": "T", "paths": ["/ab"], "components": [{"/": "/c", "?": {"d": "e"}}, {"/": "/ab"}, {"/": "/f", "?": {"g": "h"}}]}]
      """#))
  func entriesAreFixed(_ details: String, _ expected: String) {
    func file(_ details: String) -> String {
      #"{"applinks": {"details": \#(details.replacing("T", with: Self.app))}}"#
    }
    for (text, right) in [
      (file(details), file(expected)),
      // The same without 'applinks'.
      (String(file(details).dropFirst(13).dropLast()), file(expected)),
    ] {
      let bytes = Array(text.utf8)
      let codes = AssociationFile.lint(bytes).diagnostics.map(\.code)
      #expect(codes.contains("path-without-slash"))
      let fixed = AssociationFile.fix(bytes, [.safe, .suggestion])
      #expect(String(decoding: fixed.bytes, as: UTF8.self) == right)
      #expect(!fixed.result.diagnostics.contains { $0.severity == .error })
    }
  }

  /// A word that systems read otherwise than it is meant is an error, one whose meaning isn't clear has
  /// no fix.
  @Test(
    arguments: [
      (#""yes""#, Severity.warning, "safe"), ("0", .warning, "safe"),
      (#""on""#, .error, "suggestion"),
      (#""excluded""#, .error, nil), (#""temporarily""#, .error, nil), ("2", .error, nil),
    ] as [(String, Severity, String?)])
  func wordsForBooleansAreRead(_ value: String, _ severity: Severity, _ fix: String?) throws {
    let text = Self.file(#""components": [{"/": "/a", "exclude": \#(value)}, {"/": "/*"}]"#)
    let found = AssociationFile.lint(Array(text.utf8)).diagnostics
    let mistake = try #require(found.first { $0.code == "boolean-as-text" })
    #expect(mistake.severity == severity)
    #expect(mistake.fix?.applicability.rawValue == fix)
  }

  @Test func byteOrderMarkIsRemovedOnRequest() throws {
    let text = "{\"applinks\": {\"details\": []}}"
    for encoding in [String.Encoding.utf8, .utf16BigEndian, .utf32LittleEndian] {
      let bytes = Array(try #require(("\u{FEFF}" + text).data(using: encoding)))
      #expect(AssociationFile.fix(bytes).bytes == bytes)
      #expect(AssociationFile.fix(bytes, [.safe, .suggestion]).bytes == Array(text.utf8))
    }
  }

  /// A fix that would not cure is not offered, and one is safe only if no verdict changes.
  @Test func fixesThatDontCureAreNotOffered() throws {
    let text = Self.file(
      #""components": [{"/": "/wiki/(a"}, {"exlude": true, "exclude": false, "/": "/b"}, {"/": "/c",}]"#
    )
    Self.check(Array(text.utf8), "several mistakes")
    let result = AssociationFile.lint(Array(text.utf8))
    #expect(result.isComplete)
    #expect(result.diagnostics.first { $0.code == "trailing-comma" }?.fix?.applicability == .safe)
  }

  /// The message of a fix that changes verdicts has an example, with the systems that it holds for.
  @Test(
    arguments: rows(
      #"""
      "appIDs": ["\#(app)"], "components": [{"/": "/buy/:id"}] => With the fix, '/buy/x' opens the app.
      "appIDs": ["\#(app)"], "components": [{"/": "/*"}, {"/": "/b", "exclude": true}]
        => With the fix, '/b' doesn't open the app.
      "appID": "\#(app)", "components": [{"/": "/a"}], "paths": ["*", "NOT /c"]
        => On iOS 12 and earlier: rule 0 ('*', line 1) already matches every URL that this rule matches, so it excludes nothing. With the fix, on iOS 12 and earlier, '/c' doesn't open the app.
      """#))
  func messagesNameURLsThatChange(_ entry: String, _ expected: String) {
    let text = #"{"applinks": {"details": [{\#(entry)}]}}"#
    let found = AssociationFile.lint(Array(text.utf8)).diagnostics
    #expect(found.contains { $0.message.hasSuffix(expected) }, "\(found.map(\.message))")
  }

  @Test func encodingStays() throws {
    let text = "{\"applinks\": {\"details\": [],}}"
    for (mark, encoding) in [(true, String.Encoding.utf16LittleEndian), (false, .utf32BigEndian)] {
      let bytes = try #require((mark ? "\u{FEFF}" + text : text).data(using: encoding))
      let fixed = AssociationFile.fix(Array(bytes))
      let expected = (mark ? "\u{FEFF}" : "") + text.replacing(",}", with: "}")
      #expect(fixed.bytes == Array(try #require(expected.data(using: encoding))))
    }
  }

  @Test func excludingEverythingByAnAbsentItemIsOneError() throws {
    let text = Self.file(#""components": [{"?": {"x": "*"}, "exclude": true}, {"/": "/*"}]"#)
    let result = AssociationFile.lint(Array(text.utf8))
    #expect(result.diagnostics.map(\.code) == ["item-always-matches"])
    let cause = try #require(result.diagnostics.first)
    #expect(cause.severity == .error)
    #expect(cause.remedy.contains("?*"))
    #expect(cause.message.contains("no link opens the app"))
    #expect(AssociationFile.fix(Array(text.utf8), [.suggestion]).result.diagnostics.isEmpty)
  }

  @Test func entriesForOldSystemsDecideThere() {
    let text =
      #"{"applinks": {"apps": [], "details": [{"appIDs": ["\#(Self.app)"], "components": [{"/": "/a"}]}, {"appID": "\#(Self.app)", "paths": ["/a"]}]}}"#
    let result = AssociationFile.lint(Array(text.utf8))
    #expect(result.diagnostics.map(\.severity).max() == .note)
    #expect(result.diagnostics.contains { $0.message.contains("Only iOS 12 and earlier read") })
  }

  /// A mistake hides none after it, and fixes of the named kinds alone cure all of them.
  @Test(
    arguments: rows(
      #"""
      safe suggestion: {"applinks": {"details": {"appIDs": ["\#(app)"], "components": [{"/": "buy/*"}]}}}
        => 1 details-not-in-array, 1 path-without-slash
      safe suggestion: {"appLinks": {"details": [{"appIDs": ["\#(app)"], "components": [{"/": "buy/*"}]}]}}
        => 1 misspelt-key, 1 path-without-slash
      safe: {"applinks": {⏎  "details": [⏎    {"appIDs": ["\#(app)"], "components": [⏎      {"/": "buy"}⏎    }⏎  ]⏎}}⏎
        => 3 unclosed, 4 path-without-slash
      """#))
  func mistakesAreFoundBehindOthers(_ text: String, _ expected: String) {
    let name = text.prefix { $0 != ":" }
    let file = Array(text.utf8.dropFirst(name.utf8.count + 2))
    let found = AssociationFile.lint(file).diagnostics.map { "\($0.start.line) \($0.code)" }
    #expect(found.joined(separator: ", ") == expected)
    let kinds = Set(
      name.split(separator: " ").compactMap { kind in
        LintFix.Applicability(rawValue: String(kind))
      })
    #expect(AssociationFile.fix(file, kinds).result.diagnostics.isEmpty)
  }
}
