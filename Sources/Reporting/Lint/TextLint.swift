internal import LinkAuditing
internal import UniversalLinks

/// Mistakes as text for people, each below its line.
package struct TextLint {
  let files: [LintedFile]

  /// Whether to show the URLs that every rule can decide.
  let showsRules: Bool

  let style: Style

  package init(files: [LintedFile], showsRules: Bool, style: Style) {
    self.files = files
    self.showsRules = showsRules
    self.style = style
  }

  package var text: String {
    var lines: [String] = []
    var isShort = true
    for file in files {
      let own = self.lines(of: file)
      // Files without mistakes take a line each.
      if !lines.isEmpty, !isShort || own.count > 1 { lines.append("") }
      isShort = own.count == 1
      lines += own
    }
    if files.count > 1 {
      lines += [
        "",
        summary(
          of: files.flatMap(\.newDiagnostics), known: files.map(\.knownCount).reduce(0, +),
          files.count),
      ]
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func lines(of file: LintedFile) -> [String] {
    let name = SafeText.escaped(file.path == "-" ? "standard input" : file.path)
    let hosts = file.hosts.isEmpty ? "" : "  for " + file.hosts.joined(separator: ", ")
    let title = style.bold(name) + SafeText.escaped(hosts)
    let diagnostics = file.newDiagnostics
    if diagnostics.isEmpty, !showsRules {
      return [title + "  " + style.green(summary(of: [], known: file.knownCount, nil))]
    }
    var lines = [title]
    if file.isSigned {
      lines += style.note("Signed: lines and columns refer to the JSON inside.")
    }
    let source = LintSource(file.text)
    for diagnostic in diagnostics { lines += self.lines(of: diagnostic, source) }
    if showsRules { lines += rules(of: file) }
    lines += ["", "  " + summary(of: diagnostics, known: file.knownCount, nil)]
    let fixes = diagnostics.compactMap { file.fix(of: $0)?.applicability }
    let counts = [
      (fixes.count { $0 == .safe }, "--fix", "without a change of any verdict"),
      (fixes.count { $0 == .suggestion }, "--fix-suggestions", "and changes verdicts"),
    ]
    for (count, option, effect) in counts where count > 0 {
      lines += "'\(option)' fixes \(count) of these \(effect)."
        .wrapped(width: style.width, indent: "  ")
    }
    return lines
  }

  private func lines(of diagnostic: LintDiagnostic, _ source: LintSource) -> [String] {
    let place = source.isEmpty ? "" : "\(diagnostic.start.line):\(diagnostic.start.column)  "
    var lines = [
      "",
      "  \(place)\(style.colored(diagnostic.severity.rawValue, diagnostic.severity)) \(diagnostic.code)",
    ]
    // A diagnostic of the whole file has an empty range at its beginning.
    if diagnostic.range != 0..<0 {
      lines += source.excerpt(
        of: diagnostic.range, inLine: diagnostic.start.line, width: style.width - 4
      ).map { "    " + style.dim($0) }
    }
    lines += SafeText.escaped(diagnostic.message).wrapped(width: style.width, indent: "    ")
    // The message names a single one.
    for other in diagnostic.related
    where diagnostic.related.count > 1 && other.position.line != diagnostic.start.line {
      lines += "Line \(other.position.line): \(SafeText.escaped(other.message))."
        .wrapped(width: style.width, indent: "    ")
    }
    return lines
      + ("To do: " + SafeText.escaped(diagnostic.remedy)).wrapped(
        width: style.width, indent: "    ")
  }

  /// Returns the number of mistakes of each severity.
  ///
  /// - Parameters:
  ///   - diagnostics: The mistakes that no baseline has.
  ///   - known: The number of the others.
  ///   - files: The number of files, if there are several.
  /// - Returns: The summary.
  private func summary(of diagnostics: [LintDiagnostic], known: Int, _ files: Int?) -> String {
    let none = known > 0 ? "no new mistakes" : "no mistakes"
    return (diagnostics.isEmpty ? none : diagnostics.severityCounts)
      + (known > 0 ? "; \(known.grouped) known" : "")
      + (files.map { " in " + $0.counted("file") } ?? "")
  }

  // MARK: - Rules

  private func rules(of file: LintedFile) -> [String] {
    var lines: [String] = []
    var shown: [ApplicationIdentifier]?
    for rule in file.rules {
      if shown != rule.apps {
        shown = rule.apps
        let names = rule.apps.map(\.text).joined(separator: ", ")
        lines += [""]
        lines += ("Rules of " + SafeText.escaped(names)).wrapped(width: style.width, indent: "  ")
      }
      let source = SafeText.escaped(rule.definition.source.oneLine)
      let what = rule.definition.excludes ? "excludes" : "claims"
      lines.append("    rule \(rule.id.position ?? 0)  \(source)".shortened(to: style.width))
      switch rule.reach {
      case .decides(let url):
        lines += style.note("\(what) \(SafeText.escaped(url))", indent: "      ")
      case .covered(let earlier, let isComplete):
        let names = earlier.compactMap(\.position).map(String.init).joined(separator: ", ")
        let by =
          earlier.isEmpty ? "earlier rules" : "rule\(earlier.count == 1 ? "" : "s") \(names)"
        let isOne = earlier.count == 1 && isComplete
        lines +=
          "never decides: \(by)\(isComplete ? "" : " and maybe others") take\(isOne ? "s" : "") all its URLs"
          .wrapped(width: style.width, indent: "      ").map(style.yellow)
      case .matchesNothing: lines.append("      " + style.red("matches nothing"))
      case .unknown: lines.append("      " + style.dim("unknown whether it decides"))
      }
    }
    return lines
  }
}
