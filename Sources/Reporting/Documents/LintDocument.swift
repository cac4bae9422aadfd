internal import LinkAuditing
internal import UniversalLinks

extension [LintedFile] {
  /// Returns the mistakes for people, file by file; with the URLs that every rule can decide if
  /// `showsRules`.
  package func document(showsRules: Bool = false) -> Document {
    let found = Self.summary(of: flatMap(\.newDiagnostics), known: map(\.knownCount).reduce(0, +))
    let subject =
      switch count {
      case 0: "no file could be read"
      case 1: found
      default: "\(found) in \(count.counted("file"))"
      }
    return Document(subject: Prose(subject)) {
      enumerated().map { $1.section("file-\($0 + 1)", showsRules: showsRules) }
    }
  }

  /// Returns the number of mistakes of each severity that no baseline has, and of the known ones.
  fileprivate static func summary(of diagnostics: [LintDiagnostic], known: Int) -> String {
    let none = known > 0 ? "no new mistakes" : "no mistakes"
    return (diagnostics.isEmpty ? none : diagnostics.severityCounts)
      + (known > 0 ? "; \(known.grouped) known" : "")
  }
}

extension LintedFile {
  fileprivate func section(_ id: String, showsRules: Bool) -> Document.Section {
    let name: Prose = "\(code: path == "-" ? "standard input" : path)"
    let hosts = hosts.enumerated().reduce(Prose("")) {
      $0 + ($1.offset == 0 ? " for " : ", ") + "\(code: $1.element)"
    }
    let summary = [Self].summary(of: newDiagnostics, known: knownCount)
    return Document.Section(id: id, title: name + hosts, key: summary, form: .entry) {
      guard !newDiagnostics.isEmpty || showsRules else { return [] }
      let signed: [Document.Block] =
        isSigned
        ? [.paragraph("Signed: lines and columns refer to the JSON inside.", .hint)] : []
      return signed + [.problems(problems)] + fixes + (showsRules ? ruleBlocks : [])
    }
  }

  private var problems: [Document.Problem] {
    let source = LintSource(text)
    return newDiagnostics.map { diagnostic in
      let start = diagnostic.start
      // The message names a single one.
      let related =
        diagnostic.related.count > 1
        ? diagnostic.related.filter { $0.position.line != start.line } : []
      return Document.Problem(
        diagnostic: diagnostic,
        place: source.isEmpty ? "" : "\(start.line):\(start.column)",
        excerpt: { width in
          // A diagnostic of the whole file has an empty range at its beginning.
          diagnostic.range == 0..<0
            ? [] : source.excerpt(of: diagnostic.range, inLine: start.line, width: width)
        }, related: related.map { "Line \($0.position.line): \($0.message)." })
    }
  }

  private var fixes: [Document.Block] {
    let fixes = newDiagnostics.compactMap { fix(of: $0)?.applicability }
    let safety =
      isReadable ? " without a change of any verdict" : ", without which no system reads the file"
    let counts = [
      (fixes.count { $0 == .safe }, "--fix", safety),
      (fixes.count { $0 == .suggestion }, "--fix-suggestions", " and may change verdicts"),
    ]
    return counts.filter { $0.0 > 0 }.map { count, option, effect in
      .paragraph("'\(option)' fixes \(count.grouped) of these\(effect).")
    }
  }

  // MARK: - Rules

  private var ruleBlocks: [Document.Block] {
    // The rules of an app all have the same apps.
    rules.grouped(by: \.apps.first).flatMap { _, own -> [Document.Block] in
      [
        .heading("Rules of " + Document.names(of: own[0].apps)),
        .facts(
          own.map { rule in
            Document.Fact(
              "rule \(rule.id.position ?? 0)",
              "\(code: ShownText(rule.definition.source.oneLine).text)", rule.effect)
          }),
      ]
    }
  }
}

extension RuleReachability.Rule {
  fileprivate var effect: Prose {
    switch reach {
    case .decides(let url): return "\(definition.excludes ? "excludes" : "claims") \(code: url)"
    case .covered(let earlier, let isComplete):
      let names = earlier.compactMap(\.position).map(String.init).joined(separator: ", ")
      let rules =
        earlier.isEmpty ? "earlier rules" : "rule\(earlier.count == 1 ? "" : "s") \(names)"
      let isOne = earlier.count == 1 && isComplete
      return
        "never decides: \(rules)\(isComplete ? "" : " and maybe others") take\(isOne ? "s" : "") all its URLs"
    case .matchesNothing: return "matches nothing"
    case .unknown: return "unknown whether it decides"
    }
  }
}
