internal import UniversalLinks

/// A rule with all that it compares, a line for each comparison.
struct MatchRuleText {
  let style: Style

  /// The position of the rule, from 0.
  let rule: Int

  /// The position of the rule that decides, if one does.
  let deciding: Int?

  /// The lines about the rule.
  func lines(_ definition: RuleDefinition, _ explanation: RuleExplanation) -> [String] {
    let place = definition.position.map { "line \($0.line)  " } ?? ""
    let heading = "    rule \(rule)  \(place)"
    let source = SafeText.escaped(definition.source.oneLine)
      .shortened(to: style.width - heading.count)
    var lines = [heading + source]
    for comparison in explanation.comparisons {
      let mark = comparison.matches ? style.green("yes") : style.dim("no ")
      lines += wrapped(comparison.words, after: mark)
    }
    if explanation.comparisons.isEmpty {
      lines += wrapped(["it has no condition on the URL"], after: style.green("yes"))
    }
    if explanation.requiresEntitlement {
      lines += wrapped([RuleMismatch.entitlement.sentence], after: style.dim("no "))
    }
    if let note = explanation.escapesNote {
      lines += wrapped(note.split(separator: " ").map(String.init), after: "   ")
    }
    let notes = notes(explanation)
    let pieces = notes.enumerated().map {
      $0.offset < notes.count - 1 ? $0.element + ";" : $0.element
    }
    if !pieces.isEmpty { lines += wrapped(pieces, after: "   ") }
    if let conclusion = conclusion(explanation) { lines.append("      \(conclusion)") }
    return lines
  }

  /// The way in which the texts were compared, if it isn't the usual one.
  private func notes(_ explanation: RuleExplanation) -> [String] {
    var notes: [String] = []
    if explanation.comparisons.isEmpty { return notes }
    if explanation.ignoresCase { notes.append("letter case is ignored") }
    let decoded = explanation.comparisons.filter { $0.spelling != nil }
    for comparison in decoded {
      let spelling = SafeText.escaped(comparison.spelling ?? "")
      notes.append(
        comparison.decodesToNothing
          ? "'\(spelling)' can't be decoded, so it counts as empty"
          : "decoded from '\(spelling)'")
    }
    if explanation.isDecoded, decoded.isEmpty {
      notes.append("compared percent-decoded")
    }
    if !explanation.inheritedKeys.isEmpty {
      let keys = explanation.inheritedKeys.map { "'\($0)'" }.joined(separator: ", ")
      notes.append("\(keys) from 'defaults'")
    }
    return notes
  }

  /// The effect of the rule if it matches.
  private func conclusion(_ explanation: RuleExplanation) -> String? {
    guard explanation.matches else { return nil }
    if deciding == rule {
      return style.bold(explanation.excludes ? "decides: excluded" : "decides: claimed")
    }
    let action = explanation.excludes ? "would exclude" : "would match"
    return style.yellow("\(action), but rule \(deciding ?? 0) has decided")
  }

  /// Words after a mark, on more lines if they don't fit one.
  private func wrapped(_ words: [String], after mark: String) -> [String] {
    let room = style.width - 11
    var lines: [String] = []
    var line = ""
    for word in words {
      if !line.isEmpty, line.displayWidth + 1 + word.displayWidth > room {
        lines.append(line)
        line = "  " + word
      } else {
        line += (line.isEmpty ? "" : " ") + word
      }
    }
    lines.append(line)
    return lines.enumerated().map {
      "      \($0.offset == 0 ? mark : "   ")  \($0.element)"
    }
  }
}

extension RuleExplanation.Comparison {
  /// The comparison in words, in pieces between which a line may end.
  fileprivate var words: [String] {
    let pattern = "'\(SafeText.escaped(pattern))'"
    if exceedsLevels {
      return [
        isUnmatchable ? "\(pattern) matches nothing:" : "\(pattern) does not match this text:",
        "it needs more stars and variables", "than \(LinkMatcher.levelLimit),",
        "the limit of systems",
      ]
    }
    if isUnmatchable {
      return [
        "\(pattern) matches nothing:",
        "it has a variable that is unknown, has no value,", "or lacks its ')'",
      ]
    }
    let text = SafeText.escaped(self.text ?? "")
    switch part {
    case .path: return compared("path '\(text)'", "is", pattern)
    case .query:
      return text.isEmpty ? absent("query", pattern) : compared("query '\(text)'", "is", pattern)
    case .fragment:
      return text.isEmpty
        ? absent("fragment", pattern) : compared("fragment '\(text)'", "is", pattern)
    case .queryItem:
      let item = "query item '\(SafeText.escaped(name ?? ""))'"
      return self.text == nil
        ? absent(item, pattern) : compared("\(item) is '\(text)',", "", pattern)
    }
  }

  private func compared(_ subject: String, _ verb: String, _ pattern: String) -> [String] {
    [subject, (verb.isEmpty ? "" : verb + " ") + (matches ? "like" : "not like") + " " + pattern]
  }

  private func absent(_ subject: String, _ pattern: String) -> [String] {
    ["there is no \(subject),", matches ? "and \(pattern) needs none" : "and \(pattern) needs one"]
  }
}
