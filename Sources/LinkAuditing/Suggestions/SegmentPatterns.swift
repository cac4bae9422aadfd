internal import UniversalLinks

/// Patterns of single segments that say more than `?*`, and which of them values are like.
struct SegmentPatterns {
  /// The patterns, those first that are preferred.
  let patterns: [String]

  private let matcher: LinkMatcher?
  private var known: [String: [Int]] = [:]

  static let digits = "$(digit)*"
  static let uuid = "????????-????-????-????-????????????"

  /// - Parameter text: The file, whose variables count.
  init(_ text: AssociationText) {
    let own = text.variableNames.filter { name in
      !name.isEmpty && name.utf8.allSatisfy { $0.isOfName && $0 < 0x80 || $0 == UInt8(ascii: "-") }
    }.map { "$(\($0))" }
    patterns =
      own + [
        "$(lang)-$(region)", "$(lang)_$(region)", "$(lang)", "$(region)", Self.uuid, Self.digits,
      ]
    let entries = patterns.enumerated().map { index, pattern in
      "{\"appIDs\":[\"\(index)\"],\"components\":[{\"/\":\(ComponentDraft.quoted("/" + pattern))}]}"
    }
    let file = ProbeFile.text(entries, variables: text.variables, defaults: nil)
    matcher = (try? AssociationFile(decoding: file)).map { LinkMatcher($0, system: .current) }
  }

  /// The positions of the patterns that a segment of a family is like, ascending.
  mutating func matches(_ segment: Substring) -> [Int] {
    let value = String(segment)
    if let found = known[value] { return found }
    var url = LinkURL("https://a.example/" + Self.example(of: value), host: "a.example")
    var evaluation = Evaluation()
    matcher?.evaluate(&url, into: &evaluation)
    let found = evaluation.matches.map(\.ruleList).sorted()
    known[value] = found
    return found
  }

  /// A segment that a family's one stands for.
  private static func example(of value: String) -> String {
    switch value {
    case "{n}": "10"
    case "{uuid}": "01234567-89ab-cdef-0123-456789abcdef"
    case "{hex}": "deadbeef01"
    case "{*}": "~"
    default: value
    }
  }
}

/// A file that holds rules, each the only one of its entry, so that each is asked alone.
enum ProbeFile {
  static func text(_ entries: [String], variables: String?, defaults: String?) -> [UInt8] {
    var members = ["\"details\":[\(entries.joined(separator: ",\n"))]"]
    if let variables { members.append("\"substitutionVariables\":\(variables)") }
    if let defaults { members.append("\"defaults\":\(defaults)") }
    return Array("{\"applinks\":{\(members.joined(separator: ","))}}".utf8)
  }
}
