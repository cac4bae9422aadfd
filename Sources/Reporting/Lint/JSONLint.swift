internal import UniversalLinks

/// Mistakes as JSON, `linkaudit.lint/1`.
package struct JSONLint {
  let files: [LintedFile]

  package init(files: [LintedFile]) {
    self.files = files
  }

  package func write(to sink: @escaping OutputSink) throws {
    var json = JSONWriter(.lines, to: sink)
    json.object { json in
      json.member("schema", "linkaudit.lint/1")
      json.member("files", objects: files) { json, file in
        json.member("path", file.path)
        json.member("hosts", strings: file.hosts)
        json.member("signed", file.isSigned)
        for severity in Severity.allCases.reversed() {
          json.member(
            severity.rawValue + "s", file.diagnostics.count { $0.severity == severity })
        }
        let source = LintSource(file.text)
        json.member("diagnostics", objects: file.diagnostics) { json, diagnostic in
          write(diagnostic, source, to: &json)
        }
        json.member("rules", objects: file.rules) { write($1, to: &$0) }
      }
    }
    try json.finish()
  }

  private func write(
    _ diagnostic: LintDiagnostic, _ source: LintSource, to json: inout JSONWriter
  ) {
    json.member("code", diagnostic.code)
    json.member("severity", diagnostic.severity.rawValue)
    json.member("line", diagnostic.start.line)
    json.member("column", diagnostic.start.column)
    json.member("endLine", diagnostic.end.line)
    json.member("endColumn", diagnostic.end.column)
    json.member("message", diagnostic.message)
    json.member("meaning", diagnostic.kind.meaning)
    json.member("remedy", diagnostic.remedy)
    // A file in one line can be long.
    json.member("text", source.line(diagnostic.start.line, limit: 1_000))
    json.member("related", objects: diagnostic.related) { json, other in
      json.member("line", other.position.line)
      json.member("column", other.position.column)
      json.member("message", other.message)
    }
  }

  private func write(_ rule: RuleReachability.Rule, to json: inout JSONWriter) {
    json.member("apps", strings: rule.apps.map(\.text))
    rule.id.entry.value.write("detail", to: &json)
    json.member("rule", rule.id.position)
    json.member("pattern", rule.definition.source)
    json.member("excludes", rule.definition.excludes)
    json.member("line", rule.definition.position?.line)
    let (reach, example, covering): (String, String?, [Int]) =
      switch rule.reach {
      case .decides(let url): ("decides", url, [])
      case .covered(let earlier, _): ("covered", nil, earlier.compactMap(\.position))
      case .matchesNothing: ("matchesNothing", nil, [])
      case .unknown: ("unknown", nil, [])
      }
    json.member("reach", reach)
    json.member("example", example)
    json.member("coveredBy", elements: covering.map(String.init))
  }
}
