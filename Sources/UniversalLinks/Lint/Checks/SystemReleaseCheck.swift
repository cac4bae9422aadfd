extension DiagnosticKind {
  static let releaseKinds = [needsLaterSystem]

  static let needsLaterSystem = DiagnosticKind(
    "needs-later-system", .warning, "Feature that older systems lack",
    meaning: "Systems ignore members that they don't know, so the rules have another meaning on "
      + "older systems. linkaudit checks this if you pass '--minimum-os'.",
    remedy: "Write rules without the feature while you support older systems.",
    example: .components(#"{"/": "/caf*", "caseSensitive": false}"#),
    fixed: .components(#"{"/": "/caf*"}"#))
}

/// Features, and the first system that has them.
extension LintContext {
  /// A member, the release that introduced it, and its effect on earlier releases.
  private static let features: [(name: String, release: SystemRelease, consequence: String)] = [
    ("components", .iOS13, "they read only 'paths'"),
    ("appIDs", .iOS13, "they read only 'appID'"),
    ("caseSensitive", .iOS13Point5, "letter case matters there"),
    ("substitutionVariables", .iOS13Point5, "patterns with variables match nothing there"),
    ("percentEncoded", .iOS14, "they compare patterns with percent-encoded text"),
    ("defaults", .iOS14, "rules have no defaults there"),
  ]

  /// Checks the members of `applinks` at all levels.
  mutating func checkReleases(_ links: JSONValue) {
    guard let minimum = options.minimumRelease else { return }
    var uses: [String: [Range<Int>]] = [:]
    collect(links, into: &uses)
    // Systems that don't support the file's own variables support no variables.
    if uses["substitutionVariables"] == nil, let place = self.variables.firstReference {
      uses["substitutionVariables"] = [place]
    }
    for feature in Self.features where feature.release > minimum {
      guard let ranges = uses[feature.name], let first = ranges.first else { continue }
      let count = ranges.count == 1 ? "" : " (\(ranges.count) places)"
      report(
        .needsLaterSystem, at: first,
        "'\(spelling(of: first).hasPrefix("$") ? "$(…)" : feature.name)' needs iOS \(feature.release.rawValue)\(count). '--minimum-os' is \(minimum.rawValue), and systems before iOS \(feature.release.rawValue) ignore it: \(feature.consequence)."
      )
    }
  }

  /// Collects the members that have a meaning where they are.
  private func collect(_ links: JSONValue, into uses: inout [String: [Range<Int>]]) {
    func add(_ names: [String], of value: JSONValue?) {
      for member in value?.object?.members ?? [] where names.contains(member.name) {
        uses[member.name, default: []].append(member.nameRange)
      }
    }
    let ofRules = ["caseSensitive", "percentEncoded"]
    add(["defaults", "substitutionVariables"], of: links)
    add(ofRules, of: links.object?["defaults"])
    let details = links.object?["details"]
    let entries = details?.array ?? details?.object?.members.map(\.value) ?? []
    for entry in entries {
      add(["appIDs", "components", "defaults"], of: entry)
      add(ofRules, of: entry.object?["defaults"])
      for rule in entry.object?["components"]?.array ?? [] { add(ofRules, of: rule) }
    }
  }
}

/// A release of iOS that added features of association files (Matching.md, 4.3).
public enum SystemRelease: String, CaseIterable, Comparable, Sendable {
  /// `components` and `appIDs`.
  case iOS13 = "13"

  /// `caseSensitive` and `substitutionVariables`.
  case iOS13Point5 = "13.5"

  /// `percentEncoded` and `defaults`.
  case iOS14 = "14"

  /// Returns whether the first release is earlier.
  public static func < (first: Self, second: Self) -> Bool { first.rank < second.rank }

  private var rank: Int {
    switch self {
    case .iOS13: 0
    case .iOS13Point5: 1
    case .iOS14: 2
    }
  }
}
