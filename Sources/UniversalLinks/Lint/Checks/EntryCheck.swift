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
