internal import Foundations

extension DiagnosticKind {
  private static func entry(_ id: String = "A1B2C3D4E5.com.example.tea") -> String {
    #""appIDs": ["\#(id)"], "paths": ["/buy/*"]"#
  }

  static let appIDPrefix = DiagnosticKind(
    "app-id-prefix", .error, "App identifier without a team prefix",
    meaning: "Systems compare the whole identifier with that of the app, which begins with ten "
      + "letters and digits. Without them, it names no app.",
    remedy: "Put the App ID Prefix of the developer account before it, as in "
      + "'A1B2C3D4E5.com.example.tea'.", example: .entry(entry("com.example.tea")), fixed: entry())

  static let placeholderApp = DiagnosticKind(
    "placeholder-app-id", .error, except: "`warning` for the app of Apple's documentation",
    "Placeholder instead of an app identifier",
    meaning: "The identifier was copied from a template or from documentation. It names no app.",
    remedy: "Write the App ID Prefix and the bundle identifier of the app.",
    example: .entry(entry("TEAM_ID.com.example.tea")), fixed: entry())

  static let wildcardApp = DiagnosticKind(
    "wildcard-app-id", .error, "App identifier with a wildcard",
    meaning: "Identifiers have no wildcards: '*' matches only the character '*'.",
    remedy: "List the identifier of each app.", example: .entry(entry("A1B2C3D4E5.com.example.*")),
    fixed: entry())

  static let malformedApp = DiagnosticKind(
    "malformed-app-id", .error, "App identifier with invalid characters",
    meaning: "A bundle identifier has only letters, digits, hyphens and full stops.",
    remedy: "Copy the identifier from the developer account.",
    example: .entry(entry("A1B2C3D4E5.com.example.tea ")), fixed: entry())

  static let numericPrefix = DiagnosticKind(
    "numeric-prefix", .warning, "Prefix of digits only",
    meaning: "The number of an app in the App Store looks like this. A team prefix nearly always "
      + "has letters.", remedy: "Check that it is the App ID Prefix of the developer account.",
    example: .entry(entry("6448924682.com.example.tea")), fixed: entry())

  static let lowerCasePrefix = DiagnosticKind(
    "lower-case-prefix", .note, "Prefix in lower case",
    meaning: "Systems compare prefixes in upper case, so it works. Other tools may not.",
    remedy: "Write it in upper case.", example: .entry(entry("a1b2c3d4e5.com.example.tea")),
    fixed: entry())

  static let otherSpelling = DiagnosticKind(
    "app-id-spelling", .warning, "App identifier in two spellings",
    meaning: "Systems compare identifiers letter by letter, except for the letter case of the "
      + "prefix. One of the two spellings names no app.",
    remedy: "Copy the identifier from the developer account to both places.",
    example: .file(file("Tea")), fixed: file("tea"))

  private static func file(_ name: String) -> String {
    #"{"applinks": {"details": [{\#(app), "paths": ["/buy/*"]}]}, "#
      + #""webcredentials": {"apps": ["A1B2C3D4E5.com.example.\#(name)"]}}"#
  }

  static let duplicateApp = DiagnosticKind(
    "duplicate-app", .warning,
    except:
      "`note` if it is twice in one entry, or if only iOS 12 and earlier read the second entry",
    "App that occurs twice",
    meaning: "Only the first entry of an app counts. The rules of the second one never decide for "
      + "it.", remedy: "Put all rules of the app into one entry.",
    example: .links(
      #""details": [{\#(app), "paths": ["/buy/*"]}, {\#(app), "paths": ["/help/*"]}]"#),
    fixed: #""details": [{\#(app), "paths": ["/buy/*", "/help/*"]}]"#)
}

/// Identifiers of apps: a team prefix of ten characters, a full stop, a bundle identifier.
extension LintContext {
  /// Words that are placeholders for a prefix, or for anything.
  private static let prefixWords: Set<String> = [
    "TEAM", "TEAMID", "TEAMIDENTIFIER", "YOUR", "YOURTEAM", "YOURTEAMID", "APPID", "PREFIX",
    "APPIDPREFIX", "APPIDENTIFIERPREFIX", "ABCDE12345", "ABCDEFGHIJ", "TEAMID1234",
    "TEAMID12345", "ABCD1234EF", "ABC123DEF4",
  ]
  private static let words: Set<String> = [
    "REPLACE", "TODO", "PLACEHOLDER", "YOURCOMPANY", "YOURAPP", "YOURORG", "BUNDLEID",
  ]

  private func placeholder(in id: String) -> String? {
    let marks = ["$(", "${", "<", ">", "{", "}", "%", "@@", "__"]
    if let mark = marks.first(where: { id.contains($0) }) { return mark }
    let upper = id.uppercased()
    func words(_ text: String) -> [String] {
      text.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
    let prefix = words(String(upper.prefix { $0 != "." }))
    if let word = prefix.first(where: { Self.prefixWords.contains($0) }) { return word }
    if let word = prefix.first, word.count > 4, word.allSatisfy({ $0 == "X" }) { return word }
    if upper.contains("BUNDLE_ID") || upper.contains("BUNDLE-ID") { return "BUNDLE_ID" }
    return words(upper).first { Self.words.contains($0) }
  }

  private func isWellFormed(_ id: String) -> Bool {
    let parts = id.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == 10, parts[0].utf8.allSatisfy(\.isLetterOrDigit),
      !parts[1].isEmpty, !("." + parts[1] + ".").contains("..")
    else { return false }
    return parts[1].utf8.allSatisfy {
      $0.isLetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
    }
  }

  /// The example of Apple's documentation and talks, which is a real app of Apple's own hosts.
  private static let documented = "9JA89QQLNQ.com.apple.wwdc"

  private static let comparedLimit = 200

  /// Reports identifiers that differ so little from another one that one of them is misspelt.
  ///
  /// They differ in letter case, or in one character of the prefix, or in one character of the bundle
  /// identifier where two services of the file name one of them each.
  mutating func checkSpellings() {
    guard mentions.count > 1, mentions.count <= Self.comparedLimit else { return }
    let mentions = mentions.sorted { $0.value.range.lowerBound < $1.value.range.lowerBound }
    for (index, (id, mention)) in mentions.enumerated() {
      let other = mentions[..<index].first { other in
        isMisspelt(id, other.key, haveServices: mention.services, other.value.services)
      }
      guard let (other, known) = other else { continue }
      report(
        .otherSpelling, at: mention.range,
        "'\(id)' differs from '\(other)' in line \(line(of: known.range.lowerBound)) "
          + (id.lowercased() == other.lowercased() ? "only in letter case." : "in one character."),
        related: [(known.range, "The other spelling")])
    }
  }

  private func isMisspelt(
    _ one: String, _ other: String, haveServices services: Set<String>, _ others: Set<String>
  ) -> Bool {
    func parts(_ id: String) -> (prefix: String, bundle: Substring) {
      (id.prefix(10).uppercased(), id.dropFirst(10))
    }
    let (first, second) = (parts(one), parts(other))
    if first.bundle == second.bundle {
      return first.prefix != second.prefix && first.prefix.isOneEdit(from: second.prefix)
    }
    guard first.prefix == second.prefix else { return false }
    if first.bundle.lowercased() == second.bundle.lowercased() { return true }
    return services.isDisjoint(with: others)
      && String(first.bundle).isOneEdit(from: String(second.bundle))
  }

  mutating func checkApp(_ id: String, at range: Range<Int>, of service: String) {
    if isWellFormed(id) {
      var mention = mentions[id] ?? (range, [])
      mention.services.insert(service)
      if range.lowerBound < mention.range.lowerBound { mention.range = range }
      mentions[id] = mention
    }
    let host = options.host ?? ""
    if id == Self.documented, host != "apple.com", !host.hasSuffix(".apple.com") {
      report(
        .placeholderApp, at: range, "'\(id)' is Apple's own app, the example of its documentation.",
        severity: .warning)
      return
    }
    let trimmed = id.trimmed
    if trimmed != id, isWellFormed(trimmed) {
      report(
        .malformedApp, at: range,
        "'\(id)' has white space around the identifier, so it names no app.",
        remedy: "Write '\(trimmed)'.",
        fix: .replace(range, with: LintFix.literal(trimmed), "Remove the white space"))
      return
    }
    if let word = placeholder(in: id) {
      report(
        .placeholderApp, at: range,
        "'\(id)' is not an app's identifier: '\(word)' is a placeholder.")
      return
    }
    if id.contains("*") {
      report(.wildcardApp, at: range, "'\(id)' has a '*', which is not a wildcard here.")
      return
    }
    let parts = id.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let team = parts[0].utf8
    guard parts.count == 2, team.count == 10, team.allSatisfy(\.isLetterOrDigit) else {
      let problem =
        parts.count == 2 && team.allSatisfy { $0.isLetterOrDigit && !(0x61...0x7A).contains($0) }
          && team.contains(where: \.isDigit)
        ? "has a prefix of \(team.count) characters instead of 10"
        : "doesn't begin with a team prefix of 10 letters and digits"
      report(.appIDPrefix, at: range, "'\(id)' \(problem).")
      return
    }
    guard isWellFormed(id) else {
      report(.malformedApp, at: range, "'\(id)' has a bundle identifier that no app can have.")
      return
    }
    if team.allSatisfy(\.isDigit) {
      report(
        .numericPrefix, at: range,
        "'\(parts[0])' has only digits, like the number of an app in the App Store.")
    } else if team.contains(where: { (0x61...0x7A).contains($0) }) {
      report(
        .lowerCasePrefix, at: range, "The prefix '\(parts[0])' is in lower case.",
        remedy: "Write '\(parts[0].uppercased())'.",
        fix: .replace(
          range, with: LintFix.literal(parts[0].uppercased() + "." + parts[1]),
          "Write the prefix in upper case", .safe))
    }
  }

  mutating func checkOccurrence(_ id: String, at range: Range<Int>, entry: Int) {
    let app = ApplicationIdentifier(id)
    guard let first = firstPlaces[app] else {
      firstPlaces[app] = (range, entry)
      return
    }
    let line = line(of: first.range.lowerBound)
    let isSameEntry = first.entry == entry
    let isLegacy = !isSameEntry && legacyEntries[app] == entry
    let message =
      isSameEntry
      ? "'\(id)' is twice in this entry."
      : isLegacy
        ? "iOS 13 and later read the entry of '\(id)' in line \(line). Only iOS 12 and earlier read "
          + "the rules here."
        : "'\(id)' already has an entry in line \(line). The rules here never decide for this app."
    report(
      .duplicateApp, at: range, message, severity: isSameEntry || isLegacy ? .note : nil,
      remedy: isLegacy ? "Keep both if you support iOS 12; else remove this one." : nil,
      related: [
        (
          first.range,
          isLegacy
            ? "The entry that iOS 13 and later read" : "The first entry of the app, which counts"
        )
      ])
  }
}

extension String {
  var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
