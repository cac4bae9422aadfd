package import LinkAuditing
package import TrafficDigest
internal import UniversalLinks

/// A report about suggested rules.
package struct SuggestionReport {
  let suggestion: Suggestion
  let digest: TrafficDigest

  /// The path of the association file, or `nil` for standard input.
  let filePath: String?

  /// The path of the written candidate with the rules inserted, or `nil`.
  let candidatePath: String?

  package init(
    suggestion: Suggestion, digest: TrafficDigest, filePath: String?, candidatePath: String?
  ) {
    self.suggestion = suggestion
    self.digest = digest
    self.filePath = filePath
    self.candidatePath = candidatePath
  }

  /// The rules as an array in JSON, one a line.
  package var componentsText: String {
    let rules = suggestion.rules.map { "  " + SafeText.escapedJSON($0.json) }
    return rules.isEmpty ? "[]\n" : "[\n\(rules.joined(separator: ",\n"))\n]\n"
  }

  /// The name of the list in sentences, such as `'components' of entry 0`.
  var listName: String {
    let list = suggestion.list?.rawValue ?? ""
    return "'\(list)' of entry \(SafeText.escaped(suggestion.entry.text))"
  }

  /// The gain, in one sentence.
  var summary: String {
    let thing = suggestion.options.weight == .visits ? "visit" : "request"
    func amount(_ traffic: Traffic) -> Int {
      suggestion.options.weight == .visits ? traffic.visits : traffic.requests
    }
    let wanted = amount(suggestion.wanted)
    if suggestion.list == nil {
      return
        "The entry has neither 'components' nor 'paths', so it claims everything: no rule is needed."
    }
    guard suggestion.total.requests > 0 else {
      return "Nothing to suggest: no request is for '\(suggestion.host)'. Check the host."
    }
    guard wanted > 0 else {
      return "Nothing to suggest: there is no unclaimed \(thing) with a route."
    }
    let what = "unclaimed \(thing)\(wanted == 1 ? "" : "s") with a route"
    let name = suggestion.list == .paths ? "element" : "component"
    if suggestion.rules.isEmpty, !suggestion.remaining.isEmpty {
      if suggestion.remaining.allSatisfy({ $0.reason == .excludedByDefault }) {
        return
          "No element of 'paths' can undo the default 'exclude', so none can claim the \(wanted.grouped) \(what)."
      }
      if suggestion.remaining.allSatisfy({ $0.reason == .unmatched }) {
        return "No tested \(name) claims the \(wanted.grouped) \(what)."
      }
    }
    guard !suggestion.rules.isEmpty else {
      if wanted == 1 { return "No \(name) wins enough: there is only 1 \(what)." }
      return "No \(name) wins enough of the \(wanted.grouped) \(what)."
    }
    return
      "\(suggestion.rules.count.counted(name)) would claim \(amount(suggestion.won).grouped) of \(wanted.grouped) \(what)."
  }
}

extension RemainingRoute.Reason {
  /// All reasons in JSON.
  static let codes = [
    "excluded", "ios12", "light", "besides", "top", "noRule", "unmatched", "excludedByDefault",
    "everyPath",
  ]

  /// The reason in JSON.
  var code: String {
    switch self {
    case .excluded: "excluded"
    case .oldSystems: "ios12"
    case .light: "light"
    case .besides: "besides"
    case .top: "top"
    case .noRule: "noRule"
    case .unmatched: "unmatched"
    case .excludedByDefault: "excludedByDefault"
    case .everyPath: "everyPath"
    }
  }
}
