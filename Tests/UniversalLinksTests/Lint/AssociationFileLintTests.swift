import Foundation
import TestSupport
import Testing

@testable import Foundations
@testable import UniversalLinks

@Suite struct AssociationFileLintTests {
  static func entry(_ members: String) -> String {
    #"{"applinks":{"details":[{"appIDs":["A1B2C3D4E5.com.example.tea"],\#(members)}]}}"#
  }

  static func components(_ elements: String) -> String {
    entry(#""components":[\#(elements)]"#)
  }

  private static func paths(_ elements: String) -> String {
    #"{"applinks":{"details":[{"appID":"A1B2C3D4E5.com.example.tea","paths":[\#(elements)]}]}}"#
  }

  private static func found(_ text: String) -> [String] {
    let lint = AssociationFile.lint(Array(text.utf8), options: LintOptions(minimumRelease: nil))
    return lint.diagnostics.map { diagnostic in
      let spelling = String(decoding: lint.text[diagnostic.range], as: UTF8.self)
      return "\(diagnostic.severity.rawValue) \(diagnostic.code) \(spelling)"
    }
  }

  /// Mistakes with their places; a file that works on every system has none.
  @Test(
    arguments: rows(
      #"""
      file: {⏎  “applinks”: {⏎    ‘details’: [],⏎  }⏎}
        => error quotes “ and error quotes ‘ and warning empty-details [] and warning trailing-comma ,
      file: \#u{FEFF}{"applinks": {"details": []} /* none */}
        => warning byte-order-mark  and warning empty-details [] and error comment /*
      file: ---⏎permalink: /a⏎---⏎{"applinks": {"details": []}}⏎end
        => error text-in-front - and warning empty-details [] and error text-behind e
      file: {"applinks": {"details": [] "apps": []}}
        => warning empty-details [] and error missing-comma ]
      file: {"applinks":{"details":[{"appID":"A1B2C3D4E5.a","paths":["/a",],},],},}
        => warning trailing-comma , and warning trailing-comma , and warning trailing-comma , and warning trailing-comma , and warning trailing-comma ,
      file: {"applinks":{"details":[,]}} => warning empty-details [,] and error syntax ,
      file: {"applinks": {"details": [ => error unclosed [ and warning empty-details [
      file: {"appl"inks": 1} => error syntax i
      details: {"appID":"A1B2C3D4E5.com.example.tea”,⏎"paths":["/a"]} => error quotes ”
      file: {"applinks":{"details":[{"paths":["/a]}⏎]}} => error no-app { and error quotes "/a
      file: Not Found⏎ => error not-an-association-file Not Found
      file:␣ => error empty␣
      file: [] => error not-an-object [
      file: <html>⏎</html> => error not-an-association-file <html>
      file: {"applinks": {{ rules }}} => error template {
      file: {{ rules }} => error template {{ rules }}
      file: [[1]] => error not-an-object [
      components: {"/":"/buy/*"},{"/":"/help/*","?":{"q":"?*"}},{"/":"/$(lang)/a","#":"b"} =>
      paths: "NOT /help/*","*" =>
      paths: "not /help/*","/*" =>
      components: {"#":"no_universal_links","exclude":true},{"/":"*"} =>
      components: {"/":"/speakers/????"},{"/":"/wiki/Special:*"},{"/":"/files/x.*"} =>
      components: {"/":"/v?"},{"/":"/v?/*"},{"/":"*.html"},{"/":"/.well-known/x"} =>
      components: {"/":"/a","comment":"all"},{"/":"/b","Comment":["x"]} =>
      components: {"/":"/100%25/*"},{"/":"/%C3%A9"},{"/":"/%?*"} =>
      components: {"/":"/é","percentEncoded":false},{"/":"/%c3","caseSensitive":false} =>
      components: {"/":"/\u0301a","percentEncoded":false} =>
      components: {"/":"/b","?":"?*"},{"/":"/c","?":""},{"/":"/d","?":"a=?"} =>
      components: {"/":"/a","Exclude":true},{"/":"/*"} => error misspelt-key "Exclude"
      components: {"/":"/a","exlcude":true},{"/":"/*"} => error misspelt-key "exlcude"
      entry: "component":[{"/":"/a"}] => error misspelt-key "component"
      details: {"appId":"A1B2C3D4E5.com.example.tea","paths":["/a"]} => error misspelt-key "appId"
      file: {"appLinks":{"details":[]}} => error misspelt-key "appLinks" and warning empty-details []
      file: {"applinks":{"details":[]},"details":[]}
        => warning empty-details [] and error misplaced-key "details"
      components: {"/":"/a","exclude":"no"},{"/":"/b","caseSensitive":null}
        => warning boolean-as-text "no" and error wrong-type null
      components: {"/":7} => error wrong-type 7
      components: "/a",{"/":"/b"} => error wrong-type "/a"
      entry: "paths":"/a" => error wrong-type "/a"
      entry: "components":[{"/":"/a"}],"components":[{"/":"/b"}] => warning duplicate-key "components"
      components: {"/":"/a","requiredEntitlement":true} => warning required-entitlement true
      file: {"applinks":{"defaults":{"requiredEntitlement":"a"},"details":[{"appID":"A1B2C3D4E5.a","paths":["/a"]}]}}
        => warning required-entitlement "a"
      entry: "paths":["/a"] => note mixed-generations ["A1B2C3D4E5.com.example.tea"]
      file: {"applinks":{"details":[{"appID":"A1B2C3D4E5.a","components":[{"/":"/a"}]}]}}
        => note mixed-generations "A1B2C3D4E5.a"
      entry: "components":[{"/":"/a"}],"paths":["/a"] => warning paths-and-components ["/a"]
      file: {"applinks":{"details":[{"appID":"A1B2C3D4E5.a","components":[{"/":"/a"}],"paths":["/a"]}]}}
        => note paths-and-components ["/a"]
      file: {"applinks":{"details":{"A1B2C3D4E5.a":{"components":[{"/":"/a"}]}}}}
        => note object-details { and note mixed-generations "A1B2C3D4E5.a"
      components: {"/":"/a\\b"} => error backslash \\
      components: {"/":"/\u00e9"} => error unencoded-character \u00e9
      components: {"/":"/a b/é"} => error unencoded-character ␣
      components: {"/":"/a/* "} => error unencoded-character ␣
      components: {"/":"/\#u{212A}/ſ","caseSensitive":false} =>
      components: {"/":"/\u212A"} => error unencoded-character \u212A
      components: {"/":"/ſé","caseSensitive":false} => error unencoded-character é
      components: {"/":"/\#u{212A}","caseSensitive":false,"percentEncoded":false} =>
      components: {"/":"/caf%c3%a9"} => warning lower-case-escape %c3
      components: {"/":"/50%/a"} => error stray-percent %
      components: {"/":"/$(Lang)"},{"/":"/$(none"}
        => error unknown-variable $(Lang) and error unclosed-variable $(none
      components: {"/":"/buy/{id}"} => error router-parameter {id}
      components: {"/":"/buy/[...rest]"},{"/":"/f","#":"/buy/:id"},{"/":"/q","?":"id={id}"}
        => error router-parameter [...rest] and error router-parameter :id and error router-parameter {id}
      components: {"/":"^/buy/.*$"} => error regular-expression .*
      components: {"/":"/(a|b)/c"} => error regular-expression (a|b)
      components: {"/":"NOT /a"},{"/":"/b"} => error exclusion-prefix "NOT /a"
      paths: "NOT  /a","*" => error exclusion-prefix "NOT  /a"
      paths: "/search?q=*" => error query-in-path ?q=*
      paths: "/a&#47;b","/c&amp;/d&#x2f;","/buy?id" => error html-entity &#47; and error html-entity &amp;
      components: {"/":"/u/{id}.html"} => error router-parameter {id}.html
      components: {"/":"/a\\b","percentEncoded":false} => warning backslash \\
      components: {"/":"myapp://buy"} => error host-in-path "myapp://buy"
      components: {"/":"/a","?":{"tags[]":"?*"}} => error unencoded-character []
      components: {"/":"/a","query":{"id":"?*"}} => error misspelt-key "query"
      paths: "/search?" => warning question-mark-in-path ?
      components: {"/":"example.com/a"} => error host-in-path "example.com/a"
      components: {"/":"//example.com/a"} => error host-in-path "//example.com/a"
      components: {"/":"*.example.com/a"} => error host-in-path "*.example.com/a"
      paths: "https://www.example.com/a" => error host-in-path "https://www.example.com/a"
      components: {"/":"/a","?":{"q":["x"]}} => error query-value-type ["x"]
      file: {"applinks":{"details":[{"appID":"A1B2C3D4E5.com.steamideas.app","paths":["/a"]}]}} =>
      file: {"applinks":{"details":[{"appID":"TODO_ADD_APP_ID.com.a.b","paths":["/a"]}]}}
        => error placeholder-app-id "TODO_ADD_APP_ID.com.a.b"
      details: {"appID":"com.example.tea","paths":["/a"]} => error app-id-prefix "com.example.tea"
      file: {"applinks":{"details":[{"appID":"A1B2C3D4E5.a","paths":["/a"]},{"appID":"a1b2c3d4e5.a","paths":["/b"]}]}}
        => warning duplicate-app "a1b2c3d4e5.a"
      components: {"/":"/*"},{"/":"/a","exclude":true}
        => error rule-never-decides {"/":"/a","exclude":true}
      components: {"/":"/*","exclude":true},{"/":"/a"}
        => error nothing-claimed {"/":"/*","exclude":true}
      components: {"/":"/a*"},{"/":"/a/b"},{"/":"/c"} => note rule-never-decides {"/":"/a/b"}
      paths: "/a","NOT /b" => note useless-exclusion "NOT /b"
      components: {"/":"/a","exlude":true},{"/":"/b"} => error misspelt-key "exlude"
      components: {"/":"/a","exclude":true},{"path":"/b"} => error misspelt-key "path"
      paths: "NOT *" => note nothing-claimed [
      components: {"/":"/a","exclude":true},{"/":"/b","exclude":true} => note nothing-claimed [
      paths: "/wiki/*_(?*)" =>
      paths: "/[post-id]" => error router-parameter [post-id]
      paths: "www.txt" => note path-without-slash "www.txt"
      file: 404: Not Found => error not-an-association-file 404: Not Found
      file: {\rtf1\ansi } => error not-an-association-file {\rtf1\ansi }
      file: [{"relation": ["x"], "target": {"namespace": "android_app"}}]
        => error not-an-association-file [{"relation": ["x"], "target": {"namespace": "android_app"}}]
      file: {"applinks":{"details":[{"appID":"A1B2C3D4E5.a.b","paths":["/a"]}]},"webcredentials":{"apps":["A1B2C3D4E6.a.b"]}}
        => warning app-id-spelling "A1B2C3D4E6.a.b"
      file: {"applinks":{"details":[{"appIDs":["A1B2C3D4E5.a.b","A1B2C3D4E5.a.c"],"components":[{"/":"/a"}]}]}} =>
      """#))
  func mistakesAreFoundWhereTheyStand(_ content: String, _ expected: String) throws {
    let forms: [String: (String) -> String] = [
      "components": Self.components, "paths": Self.paths, "entry": Self.entry, "file": { $0 },
      "details": { #"{"applinks":{"details":[\#($0)]}}"# },
    ]
    let form = content.prefix { $0 != ":" }
    let whole = try #require(forms[String(form)])
    let text = whole(String(content.dropFirst(form.count + 2)))
    #expect(Self.found(text).joined(separator: " and ") == expected)
  }

  /// A rule with another host belongs in the file of that host.
  @Test(arguments: [
    ("www.example.com/buy/*", "Write '/buy/*'."),
    (
      "https://shop.example.com/buy/*",
      "Move the rule '/buy/*' to the file that shop.example.com serves. This file is for www.example.com."
    ),
  ])
  func theRemedyDependsOnTheHost(pattern: String, remedy: String) {
    let lint = AssociationFile.lint(
      Array(Self.components(#"{"/":"\#(pattern)"}"#).utf8),
      options: LintOptions(host: "www.example.com"))
    #expect(lint.diagnostics.map(\.remedy) == [remedy])
  }

  @Test(arguments: [
    (SystemRelease.iOS13, ["caseSensitive", "defaults", "percentEncoded"]),
    (.iOS13Point5, ["defaults", "percentEncoded"]),
    (.iOS14, []),
  ])
  func featuresAreToldForEarlierSystems(_ minimum: SystemRelease, _ expected: [String]) {
    let text = Self.entry(
      #""defaults":{"caseSensitive":false},"components":[{"/":"/a","percentEncoded":false}]"#)
    let lint = AssociationFile.lint(Array(text.utf8), options: LintOptions(minimumRelease: minimum))
    let names = lint.diagnostics.filter { $0.kind == .needsLaterSystem }.map {
      String(decoding: lint.text[$0.range], as: UTF8.self).filter { $0 != "\"" }
    }
    #expect(names.sorted() == expected)
  }

  @Test func sizeCountsBeforeTheSignatureIsTakenOff() {
    let text = Self.paths(#""/a""#)
    let padding = String(repeating: " ", count: AssociationFile.sizeLimit)
    #expect(Self.found(text + padding) == ["error too-large "])
    let fitting = padding.dropLast(text.utf8.count)
    #expect(Self.found(text + fitting).isEmpty)
  }

  @Test func depthIsBounded() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(Self.found(#"{"applinks":"# + deep) == ["error too-deep ["])
  }

  /// The parts of strings are found through their escapes.
  @Test func placesCountEscapes() throws {
    let text = Array(#"["a\u00e9\"\ud83d\ude00b"]"#.utf8)
    let value = try #require(try JSONParser.parse(text).array?.first)
    let string = try #require(value.string)
    let context = LintContext(text, options: LintOptions())
    #expect(string == "aé\"😀b")
    let spellings = [0..<1, 1..<3, 3..<4, 4..<8, 8..<9, 0..<9].map { range in
      String(decoding: text[context.range(of: range, inString: value.range)], as: UTF8.self)
    }
    #expect(
      spellings == [
        "a", #"\u00e9"#, #"\""#, #"\ud83d\ude00"#, "b", #"a\u00e9\"\ud83d\ude00b"#,
      ])
  }

  /// After any deletion, duplication or exchange, places are in the text and in order.
  ///
  /// A file with a syntax mistake is never read.
  @Test func damagedFilesAreToldOf() throws {
    var generator = SeededGenerator()
    let whole = Array(
      Self.components(
        ##"{"/":"/buy/*","?":{"q":"?*"}},{"/":"/$(digit)/é","percentEncoded":false,"#":"a"}"##
      ).utf8)
    for _ in 0..<300 {
      var text = whole
      for _ in 0..<Int.random(in: 1...3, using: &generator) where !text.isEmpty {
        let index = Int.random(in: 0..<text.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: text.remove(at: index)
        case 1: text.insert(text[index], at: index)
        case 2: text[index] = UInt8.random(in: 0...255, using: &generator)
        default: text.removeLast(text.count - index)
        }
      }
      let lint = AssociationFile.lint(text)
      #expect(lint.diagnostics.allSatisfy { $0.range.upperBound <= lint.text.count })
      let isRead = (try? AssociationFile(decoding: text)) != nil
      let isFatal = lint.diagnostics.contains(where: \.kind.isFatal)
      #expect(isRead == !isFatal, "\(String(decoding: text, as: UTF8.self))")
    }
  }
}
