internal import Foundations

extension DiagnosticKind {
  private static func details(_ path: String = "/buy/*") -> String {
    #""details": [{\#(app), "paths": ["\#(path)"]}]"#
  }

  private static let sound = details()

  static let noLinks = DiagnosticKind(
    "no-applinks", .error,
    except: "`note` if the file has another service, such as `webcredentials`",
    "File without universal links",
    meaning: "Without an object 'applinks', no link to this host opens an app.",
    remedy: "Add 'applinks' if links should open the app.",
    example: (
      #"{"comment": "for later"}"#,
      #"{"applinks": {"details": [{\#(apps), "components": [{"/": "/buy/*"}]}]}}"#
    ))

  static let emptyDetails = DiagnosticKind(
    "empty-details", .warning,
    except: "`note` if the file has another service, `error` without `details`",
    "'applinks' without entries in 'details'", meaning: "No link to this host opens an app.",
    remedy: "Add an entry for each app, or remove 'applinks'.",
    example: links(#""details": []"#, sound))

  static let objectDetails = DiagnosticKind(
    "object-details", .note, "Object instead of an array in 'details'",
    meaning: "This is the oldest notation. Systems still read it, but JSON objects have no order, "
      + "and each entry has only one app.",
    remedy: "Write an array of entries, each with 'appIDs'.",
    example: links(#""details": {"A1B2C3D4E5.com.example.tea": {"paths": ["/buy/*"]}}"#, sound))

  static let singleEntry = DiagnosticKind(
    "details-not-in-array", .error, "One entry in place of the array 'details'",
    meaning:
      "'details' is an array of entries. Systems read an object as the oldest notation, whose "
      + "names are apps, so they find no app, and no link opens the app.",
    remedy: "Write the entry in an array: [{…}].",
    example: links(
      #""details": {\#(apps), "components": [{"/": "/buy/*"}]}"#,
      #""details": [{\#(apps), "components": [{"/": "/buy/*"}]}]"#))

  static let keyedEntry = DiagnosticKind(
    "keyed-entry", .error, "App as the name of a member of an entry",
    meaning: "An entry in an array names its app in 'appIDs' or 'appID'. Only in the oldest "
      + "notation, where 'details' is an object, apps are names. Systems find no app here.",
    remedy: "Write the app as the value of 'appIDs' or 'appID'.",
    example: links(#""details": [{"A1B2C3D4E5.com.example.tea": {"paths": ["/buy/*"]}}]"#, sound))

  static let appsNotEmpty = DiagnosticKind(
    "apps-not-empty", .warning, except: "`error` without `details`: each app then claims every URL",
    "Apps in 'apps' of 'applinks'",
    meaning: "'apps' is for other services. iOS 12 and earlier expect an empty 'apps' in "
      + "'applinks'. Later systems read it only if there are no 'details'.",
    remedy: "Write \"apps\": [], and name the apps in 'details'.",
    example: links(#""apps": ["A1B2C3D4E5.com.example.tea"], \#(sound)"#, #""apps": [], \#(sound)"#)
  )

  static let appClip = DiagnosticKind(
    "app-clip", .note, "Unusual identifier of an app clip",
    meaning: "'appclips' names app clips, not their apps. By default, the identifier of a clip is "
      + "that of its app with '.Clip' after it.",
    remedy: "If this is the app, write the identifier of its app clip.",
    example: (
      #"{"appclips": {"apps": ["A1B2C3D4E5.com.example.tea"]}, "applinks": {"details": []}}"#,
      #"{"appclips": {"apps": ["A1B2C3D4E5.com.example.tea.Clip"]}, "applinks": {"details": []}}"#
    ))

  static let variableWithoutValues = DiagnosticKind(
    "variable-without-values", .error, "Variable without values",
    meaning: "A pattern that uses it matches nothing.",
    remedy: "Write an array of strings as its value.",
    example: links(
      #""substitutionVariables": {"food": []}, \#(details("/$(food)/*"))"#,
      #""substitutionVariables": {"food": ["tea"]}, \#(details("/$(food)/*"))"#))

  static let droppedValue = DiagnosticKind(
    "dropped-value", .warning, "Ignored value of a variable",
    meaning: "Values are strings that contain no variables. Systems ignore other values.",
    remedy: "Write the values as strings without variables.",
    example: links(
      #""substitutionVariables": {"food": ["tea", "$(lang)"]}, \#(details("/$(food)/*"))"#,
      #""substitutionVariables": {"food": ["tea"]}, \#(details("/$(food)/*"))"#))

  static let unusedVariable = DiagnosticKind(
    "unused-variable", .note, "Variable that no pattern uses", meaning: "It has no effect.",
    remedy: "Remove it, or check whether a pattern misspells its name.",
    example: links(#""substitutionVariables": {"food": ["tea"]}, \#(sound)"#, sound))

  static let needsLaterSystem = DiagnosticKind(
    "needs-later-system", .warning, "Feature that older systems lack",
    meaning: "Systems ignore members that they don't know, so the rules have another meaning on "
      + "older systems. linkaudit checks this if you pass '--minimum-os'.",
    remedy: "Write rules without the feature while you support older systems.",
    example: components(#"{"/": "/caf*", "caseSensitive": false}"#, #"{"/": "/caf*"}"#))
}

extension LintContext {
  mutating func checkFile(_ root: JSONObject, range: Range<Int>, file: AssociationFile) {
    checkMembers(root, .file)
    let services = ["webcredentials", "appclips", "activitycontinuation"].filter { name in
      root[name].map { checkService(name, $0) } ?? false
    }
    defer { checkSpellings() }
    guard let value = root["applinks"] else {
      report(
        .noLinks, at: range.prefix(1),
        services.isEmpty
          ? "There is no 'applinks', so no link opens an app."
          : "There is no 'applinks', so no link opens an app; the file is for \(services.map { "'\($0)'" }.listed).",
        severity: services.isEmpty ? .error : .note)
      return
    }
    guard let links = object(value, "'applinks'", "no link opens an app") else { return }
    checkMembers(links, .links)
    collectVariables(links["substitutionVariables"])
    if let defaults = links["defaults"] { checkComponent(defaults: defaults) }
    checkApps(links)
    checkDetails(links, range: value.range, file: file, hasServices: !services.isEmpty)
    reportUnusedVariables()
  }

  /// Checks another service, and returns whether it names apps.
  private mutating func checkService(_ name: String, _ value: JSONValue) -> Bool {
    guard let service = object(value, "'\(name)'", "systems ignore it", severity: .warning) else {
      return false
    }
    checkMembers(service, .service)
    guard let value = service["apps"] else { return false }
    let apps = strings(
      value, "'apps' of '\(name)'", "This app of '\(name)'", "systems ignore it", severity: .warning
    )
    for (text, range) in apps {
      checkApp(text, at: range, of: name)
      if name == "appclips", !text.lowercased().hasSuffix(".clip") {
        report(.appClip, at: range, "'\(text)' doesn't end with '.Clip', as most app clips do.")
      }
    }
    return value.array?.isEmpty == false
  }

  private mutating func collectVariables(_ value: JSONValue?) {
    guard let value,
      let variables = object(value, "'substitutionVariables'", "no variable is defined")
    else { return }
    report(variables.duplicateNames, "The variable ", " is defined twice; the last one counts.")
    for member in variables.members {
      guard let candidates = member.value.variableValues else {
        reportType(
          member.value, "The value of '\(member.name)'", "an array of strings",
          "the variable is not defined")
        continue
      }
      let dropped = candidates.filter { $0.string.map { $0.utf8.span.contains("$(") } ?? true }
      for value in dropped {
        report(
          .droppedValue, at: firstLine(of: value.range),
          "A value of '\(member.name)' "
            + (value.string == nil
              ? "is \(value.typeName), not a string; systems ignore it."
              : "contains a variable; systems ignore it."))
      }
      let values = candidates.count - dropped.count
      ownVariables[Array(member.name.utf8)] = (member.nameRange, member.name, values)
      if values == 0 {
        report(
          .variableWithoutValues, at: member.nameRange,
          "'\(member.name)' has no value, so patterns with $(\(member.name)) match nothing.")
      }
    }
  }

  private mutating func reportUnusedVariables() {
    // Of many, only the first are reported.
    let own = ownVariables.sorted { $0.value.range.lowerBound < $1.value.range.lowerBound }
    for (key, variable) in own where !usedVariables.contains(key) {
      report(
        .unusedVariable, at: variable.range, "No pattern uses the variable '\(variable.name)'.")
    }
  }

  private mutating func checkApps(_ links: JSONObject) {
    guard let value = links["apps"] else { return }
    guard let apps = value.array else {
      reportType(
        value, "'apps'", "an empty array", "iOS 12 and earlier may reject the file",
        severity: .warning)
      return
    }
    guard !apps.isEmpty else { return }
    let hasDetails = links["details"] != nil
    report(
      .appsNotEmpty, at: firstLine(of: value.range),
      hasDetails
        ? "'apps' of 'applinks' is not empty. Current systems ignore it."
        : "'apps' of 'applinks' names apps without 'details', so each of them claims every URL.",
      severity: hasDetails ? .warning : .error,
      fix: hasDetails ? .replace(value.range, with: "[]", "Write []", .safe) : nil)
  }

  mutating func checkKeyedEntries(_ root: JSONObject) {
    for element in (root["applinks"]?.object ?? root)["details"]?.array ?? [] {
      guard let object = element.object, object.keyedEntries != nil,
        let first = object.members.first
      else { continue }
      let entries = object.members.map { member in
        let (id, range) = (spelling(of: member.nameRange), member.value.range)
        let app = member.value.appName == "appIDs" ? "\"appIDs\": [\(id)]" : "\"appID\": \(id)"
        let content = spelling(of: (range.lowerBound + 1)..<(range.upperBound - 1))
        return "{\(app)" + (content.trimmed.isEmpty ? "" : ", \(content)") + "}"
      }
      report(
        .keyedEntry, at: first.nameRange,
        "This entry has \(spelling(of: first.nameRange)) as a name, so it names no app, and no "
          + "link opens the app.",
        remedy: "Write '\(first.value.appName)' with the app, next to the rules.",
        fix: .replace(
          element.range, with: entries.joined(separator: ", "), "Write the app as a value"))
    }
  }

  private mutating func checkDetails(
    _ links: JSONObject, range: Range<Int>, file: AssociationFile, hasServices: Bool
  ) {
    guard let details = links["details"] else {
      let isMisspelt = links.members.contains { $0.name.isOneEdit(from: "details") }
      if (links["apps"]?.array ?? []).isEmpty, !isMisspelt {
        report(
          .emptyDetails, at: range.prefix(1),
          "'applinks' has no 'details', so no link opens an app.", severity: .error)
      }
      return
    }
    let entries: [(value: JSONValue, key: JSONObject.Member?)]
    switch details.content {
    case .array(let elements):
      entries = elements.map { ($0, nil) }
      if details.isWrapped {
        report(
          .singleEntry, at: details.range.prefix(1),
          "'details' is one entry, not an array of entries, so no link opens the app.",
          fix: wrapping(details))
      }
    case .object(let object):
      entries = object.members.map { ($0.value, $0) }
      report(object.duplicateNames, "", " occurs twice in 'details'; the last value counts.")
      report(
        .objectDetails, at: details.range.prefix(1),
        "'details' is an object, which is the oldest notation.")
    default:
      reportType(details, "'details'", "an array", "no link opens an app")
      return
    }
    if entries.isEmpty {
      report(
        .emptyDetails, at: details.range, "'details' is empty, so no link opens an app.",
        severity: hasServices ? .note : nil)
    }
    let decoded = Dictionary(file.entries.map { ($0.position, $0) }) { first, _ in first }
    legacyEntries = Dictionary(
      file.entries.compactMap { entry in entry.legacyAppID.map { ($0, entry.position) } }
    ) { first, _ in first }
    for (position, entry) in entries.enumerated() {
      checkEntry(entry.value, key: entry.key, decoded[position], position)
    }
  }

  /// A member, the release that introduced it, and its effect on earlier releases.
  private static let features: [(name: String, release: SystemRelease, consequence: String)] = [
    ("components", .iOS13, "they read only 'paths'"), ("appIDs", .iOS13, "they read only 'appID'"),
    ("caseSensitive", .iOS13Point5, "letter case matters there"),
    ("substitutionVariables", .iOS13Point5, "patterns with variables match nothing there"),
    ("percentEncoded", .iOS14, "they compare patterns with percent-encoded text"),
    ("defaults", .iOS14, "rules have no defaults there"),
  ]

  mutating func checkReleases() {
    guard let minimum = options.minimumRelease else { return }
    // Systems that don't support the file's own variables support no variables.
    if memberPlaces["substitutionVariables"] == nil, let place = firstReference {
      memberPlaces["substitutionVariables"] = [place]
    }
    for feature in Self.features where feature.release > minimum {
      guard let ranges = memberPlaces[feature.name], let first = ranges.first else { continue }
      let count = ranges.count == 1 ? "" : " (\(ranges.count) places)"
      report(
        .needsLaterSystem, at: first,
        "'\(spelling(of: first).hasPrefix("$") ? "$(…)" : feature.name)' needs iOS \(feature.release.rawValue)\(count). '--minimum-os' is \(minimum.rawValue), and systems before iOS \(feature.release.rawValue) ignore it: \(feature.consequence)."
      )
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
  public static func < (first: Self, second: Self) -> Bool {
    (Double(first.rawValue) ?? 0) < (Double(second.rawValue) ?? 0)
  }
}
