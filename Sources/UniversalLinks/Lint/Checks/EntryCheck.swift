internal import Foundations

extension DiagnosticKind {
  static let noApp = DiagnosticKind(
    "no-app", .error, "Entry without an app", meaning: "Systems ignore an entry that names no app.",
    remedy: "Add 'appIDs' with the identifiers of the apps.",
    example: (#""appIDs": [], "paths": ["/buy/*"]"#, #"\#(apps), "paths": ["/buy/*"]"#))

  static let appIDAndAppIDs = DiagnosticKind(
    "app-id-and-app-ids", .note, except: "`warning` if `appIDs` lacks the app of `appID`",
    "'appID' next to 'appIDs'",
    meaning: "iOS 13 and later read only 'appIDs'. iOS 12 and earlier read only 'appID'.",
    remedy: "Keep 'appID' only if you support systems before iOS 13.",
    example: (#"\#(app), \#(apps), "paths": ["/buy/*"]"#, #"\#(apps), "paths": ["/buy/*"]"#))

  static let noRules = DiagnosticKind(
    "no-rules", .warning, "Entry without rules, which claims everything",
    meaning: "Without 'components' and 'paths', the app claims every URL of the host, including "
      + "pages that it can't show.",
    remedy: "Add 'components'. To claim every URL, write [{\"/\": \"*\"}].",
    example: (apps, #"\#(apps), "components": [{"/": "*"}]"#))

  static let emptyRules = DiagnosticKind(
    "empty-rules", .warning, "Entry with an empty list of rules",
    meaning: "It claims nothing. An entry without a list claims everything.",
    remedy: "Add rules, or remove the entry.",
    example: (#"\#(apps), "components": []"#, #"\#(apps), "components": [{"/": "/buy/*"}]"#))

  static let nothingClaimed = DiagnosticKind(
    "nothing-claimed", .note,
    except: "`error` if the entry has rules that claim, and earlier rules take all their URLs",
    "Entry that claims nothing",
    meaning: "A link opens the app only if a rule claims it. If all rules of an entry exclude, "
      + "every link stays in the browser, which may be intended.",
    remedy: "If links should open the app, add a rule that claims them: {\"/\": \"*\"} claims all "
      + "other URLs.",
    example: components(
      #"{"/": "/help/*", "exclude": true}"#, #"{"/": "/help/*", "exclude": true}, {"/": "*"}"#))

  static let pathsAndComponents = DiagnosticKind(
    "paths-and-components", .note, except: "`warning` if there is no `appID`",
    "'paths' next to 'components'",
    meaning: "iOS 13 and later read 'components' and ignore 'paths'. iOS 12 and earlier read "
      + "'paths' and ignore 'components'. Two lists can become different by mistake.",
    remedy: "Keep 'paths' only if you support systems before iOS 13.",
    example: (
      #""paths": ["/buy/*"], "components": [{"/": "/buy/*"}]"#, #""components": [{"/": "/buy/*"}]"#
    ))

  static let mixedGenerations = DiagnosticKind(
    "mixed-generations", .note, "Apps and rules for different systems",
    meaning: "iOS 13 and later read 'appIDs', or else 'appID', and 'components', or else 'paths'. "
      + "iOS 12 and earlier read only 'appID' and 'paths'.",
    remedy: "If you support iOS 12, write 'appID' and 'paths'. If not, write 'appIDs' and "
      + "'components'.",
    example: (#"\#(apps), "paths": ["/buy/*"]"#, #"\#(apps), "components": [{"/": "/buy/*"}]"#))

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

extension LintContext {
  mutating func checkEntry(
    _ value: JSONValue, key: JSONObject.Member?, _ decoded: AssociationFile.Entry?, _ position: Int
  ) {
    guard let entry = object(value, "This entry", "systems ignore it"), let decoded else { return }
    checkMembers(entry, .entry)
    checkApps(entry, value.range, key: key, position)
    if let defaults = entry["defaults"] { checkComponent(defaults: defaults) }
    checkRules(entry, value.range, decoded)
    checkGenerations(entry, key: key)
    for (list, rules) in [(RuleID.List.components, decoded.components), (.paths, decoded.paths)] {
      for (index, element) in (entry[list.rawValue]?.array ?? []).enumerated() {
        guard let rule = rules?[index] else { continue }
        ruleRanges[RuleID(entry: decoded.id, list: list, position: index)] = element.range
        if list == .components {
          checkComponent(element, rule)
        } else {
          checkElement(element, rule, of: entry)
        }
      }
    }
  }

  private mutating func checkApps(
    _ entry: JSONObject, _ range: Range<Int>, key: JSONObject.Member?, _ position: Int
  ) {
    let (ids, id) = (entry["appIDs"], entry["appID"])
    var named = key.map { [(text: $0.name, range: $0.nameRange)] } ?? []
    if let ids {
      let consequence =
        id?.string == nil && key == nil ? "the entry names no app" : "systems ignore it"
      let texts = strings(ids, "'appIDs'", "This app", consequence)
      if ids.array != nil { named = texts }
    }
    if let id, let text = id.string {
      if let ids = ids?.array {
        let app = ApplicationIdentifier(text)
        let isAmong = ids.contains { $0.string.map(ApplicationIdentifier.init) == app }
        report(
          .appIDAndAppIDs, at: id.range,
          isAmong
            ? "'appID' is next to 'appIDs'; only iOS 12 and earlier read it."
            : "'appIDs' lacks the app that 'appID' names. iOS 13 and later ignore 'appID' here.",
          severity: isAmong ? nil : .warning)
      } else if key == nil {
        named = [(text, id.range)]
      }
    } else if let id {
      reportType(
        id, "'appID'", "a string",
        ids?.array == nil && key == nil ? "the entry names no app" : "systems ignore it")
    }
    let names = ["appID", "appIDs"]
    let isMisspelt = entry.members.map(\.name).contains { name in
      !names.contains(name) && names.contains { name.isOneEdit(from: $0) }
    }
    let hasWrongType = ids != nil && ids?.array == nil || id != nil && id?.string == nil
    if named.isEmpty, !isMisspelt, !hasWrongType {
      report(.noApp, at: range.prefix(1), "This entry names no app.")
    }
    for (text, range) in named {
      checkApp(text, at: range, of: "applinks")
      checkOccurrence(text, at: range, entry: position)
    }
  }

  private mutating func checkRules(
    _ entry: JSONObject, _ range: Range<Int>, _ decoded: AssociationFile.Entry
  ) {
    var (isKnown, isMeant) = (false, false)
    for name in ["components", "paths"] {
      guard let value = entry[name] else {
        isMeant = isMeant || entry.members.contains { $0.name.isOneEdit(from: name) }
        continue
      }
      if value.array == nil || value.isWrapped {
        reportType(
          value, "'\(name)'", "an array",
          value.isWrapped || decoded.rules == nil
            ? "the entry has no rules then, so the app claims every URL" : "systems ignore it")
        isMeant = true
      } else {
        isKnown = true
      }
    }
    if !isKnown, !isMeant {
      report(
        .noRules, at: range.prefix(1),
        "This entry has neither 'components' nor 'paths', so the app claims every URL.")
    }
    guard let rules = decoded.rules else { return }
    let list = entry["components"]?.array == nil ? entry["paths"] : entry["components"]
    if rules.isEmpty {
      report(
        .emptyRules, at: list?.range ?? range.prefix(1),
        decoded.scope("The list of rules is empty, so the app claims nothing.", of: .current))
    } else if rules.allSatisfy(\.excludes) {
      report(
        .nothingClaimed, at: list?.range.prefix(1) ?? range.prefix(1),
        decoded.scope("All rules of this entry exclude, so no link opens the app.", of: .current))
    }
  }

  private mutating func checkGenerations(_ entry: JSONObject, key: JSONObject.Member?) {
    // Systems ignore lists that aren't arrays, which are reported.
    guard !entry.members.contains(where: \.value.isWrapped) else { return }
    let (components, paths) = (entry["components"]?.array, entry["paths"])
    let ids = entry["appIDs"]?.array == nil ? nil : entry["appIDs"]
    // iOS 12 and earlier read this app; in the object form the key names it.
    let single = key?.nameRange ?? entry["appID"].flatMap { $0.string == nil ? nil : $0.range }
    let singleName = key == nil ? "'appID'" : "the key"
    if components != nil, let paths, paths.array != nil {
      report(
        .pathsAndComponents, at: firstLine(of: paths.range),
        single == nil
          ? "No system reads 'paths' here: iOS 13 and later read 'components', and iOS 12 and "
            + "earlier skip an entry without 'appID'."
          : "'paths' is next to 'components'; only iOS 12 and earlier read it.",
        severity: single == nil ? .warning : nil,
        remedy: single == nil
          ? "Remove 'paths', or add 'appID' if you support systems before iOS 13." : nil)
    } else if paths?.array != nil, let ids, ids.array?.isEmpty == false, single == nil {
      report(
        .mixedGenerations, at: firstLine(of: ids.range),
        "iOS 13 and later read 'appIDs' and 'paths'. iOS 12 and earlier don't know 'appIDs', so "
          + "they skip this entry.")
    } else if components != nil, let single {
      report(
        .mixedGenerations, at: single,
        "iOS 13 and later read \(ids == nil ? singleName : "'appIDs'") and 'components'. iOS 12 "
          + "and earlier read \(singleName), but don't know 'components', so they find no rules "
          + "here.")
    }
  }
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
    var rest = drop(while: \.isWhitespace)
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
