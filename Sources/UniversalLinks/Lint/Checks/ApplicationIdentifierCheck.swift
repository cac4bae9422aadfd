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
      + "'A1B2C3D4E5.com.example.tea'.", example: (entry("com.example.tea"), entry()))

  static let placeholderApp = DiagnosticKind(
    "placeholder-app-id", .error, except: "`warning` for the app of Apple's documentation",
    "Placeholder instead of an app identifier",
    meaning: "The identifier was copied from a template or from documentation. It names no app.",
    remedy: "Write the App ID Prefix and the bundle identifier of the app.",
    example: (entry("TEAM_ID.com.example.tea"), entry()))

  static let malformedApp = DiagnosticKind(
    "malformed-app-id", .error, "App identifier with invalid characters",
    meaning: "A bundle identifier has only letters, digits, hyphens and full stops. There are no "
      + "wildcards: '*' matches only the character '*'.",
    remedy: "Copy the identifier from the developer account.",
    example: (entry("A1B2C3D4E5.com.example.tea "), entry()))

  static let numericPrefix = DiagnosticKind(
    "numeric-prefix", .warning, "Prefix of digits only",
    meaning: "The number of an app in the App Store looks like this. A team prefix nearly always "
      + "has letters.", remedy: "Check that it is the App ID Prefix of the developer account.",
    example: (entry("6448924682.com.example.tea"), entry()))

  static let otherSpelling = DiagnosticKind(
    "app-id-spelling", .warning, "App identifier in two spellings",
    meaning: "Systems compare identifiers letter by letter, except for the letter case of the "
      + "prefix. One of the two spellings names no app.",
    remedy: "Copy the identifier from the developer account to both places.",
    example: (file("Tea"), file("tea")))

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
    example: links(
      #""details": [{\#(app), "paths": ["/buy/*"]}, {\#(app), "paths": ["/help/*"]}]"#,
      #""details": [{\#(app), "paths": ["/buy/*", "/help/*"]}]"#))
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
    let parts = id.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count > 1 && parts[0].count == 10 && parts[0].allSatisfy(\.isLetterOrDigit)
      && parts.dropFirst().allSatisfy { part in
        !part.isEmpty && part.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }
      }
  }

  /// The example of Apple's documentation and talks, which is a real app of Apple's own hosts.
  private static let documented = "9JA89QQLNQ.com.apple.wwdc"

  private static let comparedLimit = 200

  /// Reports identifiers that differ so little from another one that one of them is misspelt.
  ///
  /// They differ in letter case, or in one character of the prefix, or in one of the bundle
  /// identifier where two services of the file name one of them each.
  mutating func checkSpellings() {
    guard mentions.count > 1, mentions.count <= Self.comparedLimit else { return }
    let mentions = mentions.sorted { $0.value.range.lowerBound < $1.value.range.lowerBound }
    for (index, (id, mention)) in mentions.enumerated() {
      let other = mentions[..<index].first { other, known in
        // The letter case of the prefix doesn't matter.
        let isSame = ApplicationIdentifier(id) == ApplicationIdentifier(other)
        let isAlike =
          id.dropFirst(10) == other.dropFirst(10)
          || mention.services.isDisjoint(with: known.services)
        return !isSame
          && (id.lowercased() == other.lowercased() || isAlike && id.isOneEdit(from: other))
      }
      guard let (other, known) = other else { continue }
      report(
        .otherSpelling, at: mention.range,
        "'\(id)' differs from '\(other)' in line \(line(of: known.range.lowerBound)) "
          + (id.lowercased() == other.lowercased() ? "only in letter case." : "in one character."),
        related: [LintDiagnostic.Related(known.range, "The other spelling")])
    }
  }

  mutating func checkApp(_ id: String, at range: Range<Int>, of service: String) {
    if isWellFormed(id) {
      var mention = mentions[id] ?? (range, [])
      mention.services.insert(service)
      if range.lowerBound < mention.range.lowerBound { mention.range = range }
      mentions[id] = mention
    }
    guard let (kind, problem, correct) = problem(of: id) else { return }
    report(
      kind, at: range, "'\(id)' \(problem).",
      severity: id == Self.documented ? .warning : nil,
      cure: correct.map { .replace(range, with: LintFix.literal($0), "Write '\($0)'") })
  }

  /// The kind of mistake of an identifier, in words, and the correct one if that is clear.
  private func problem(of id: String) -> (DiagnosticKind, String, correct: String?)? {
    let (host, trimmed, team) = (options.host ?? "", id.trimmed, id.prefix { $0 != "." })
    let (rest, bytes) = (id.dropFirst(team.count), team.utf8)
    let isTeam = bytes.allSatisfy(\.isLetterOrDigit)
    if id == Self.documented, !("." + host).hasSuffix(".apple.com") {
      return (.placeholderApp, "is Apple's own app, the example of its documentation", nil)
    }
    if trimmed != id, isWellFormed(trimmed) {
      let problem = "has white space around the identifier, so it names no app"
      return (.malformedApp, problem, trimmed)
    }
    if let word = placeholder(in: id) {
      return (.placeholderApp, "is not an app's identifier: '\(word)' is a placeholder", nil)
    }
    if id.contains("*") { return (.malformedApp, "has a '*', which is not a wildcard here", nil) }
    if rest.isEmpty || bytes.count != 10 || !isTeam {
      let isShort = !rest.isEmpty && isTeam && bytes.contains(where: \.isDigit)
      let problem =
        isShort
        ? "has a prefix of \(bytes.count) characters instead of 10"
        : "doesn't begin with a team prefix of 10 letters and digits"
      return (.appIDPrefix, problem, nil)
    }
    if !isWellFormed(id) {
      return (.malformedApp, "has a bundle identifier that no app can have", nil)
    }
    if bytes.allSatisfy(\.isDigit) {
      let problem = "begins with digits only, like the number of an app in the App Store"
      return (.numericPrefix, problem, nil)
    }
    return nil
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
    let reason =
      isLegacy
      ? "Only iOS 12 and earlier read the rules here." : "The rules here never decide for this app."
    report(
      .duplicateApp, at: range,
      isSameEntry
        ? "'\(id)' is twice in this entry."
        : "'\(id)' already has an entry in line \(line). \(reason)",
      severity: isSameEntry || isLegacy ? .note : nil,
      remedy: isLegacy ? "Keep both if you support iOS 12; else remove this one." : nil,
      related: [LintDiagnostic.Related(first.range, "The first entry of the app, which counts")])
  }
}

extension String {
  var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
