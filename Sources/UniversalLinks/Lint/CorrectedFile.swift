/// A file as its author meant it, where the correction is clear.
///
/// Mistakes of names and arrays hide what is inside from systems, and so from checks. Lint reports
/// them, and checks the content of the corrected file, so that one run finds both. All ranges are
/// those of the file.
enum CorrectedFile {
  /// Returns the top-level object with the names and arrays that were meant.
  static func root(_ root: JSONObject) -> JSONObject {
    var root = root
    // Their members are in the file itself.
    if root["applinks"] == nil, let details = root.members.first(where: { $0.name == "details" }) {
      var links = JSONObject()
      for member in root.members where FileLevel.links.names.contains(member.name) {
        links.add(member)
      }
      root.add(
        JSONObject.Member(
          name: "applinks", nameRange: details.nameRange,
          value: JSONValue(.object(links), range: details.nameRange)))
    }
    return object(root, .file) { name, value in
      name == "applinks" ? map(value, .links, links) : value
    }
  }

  private static func links(_ name: String, _ value: JSONValue) -> JSONValue {
    switch (name, value.content) {
    case ("details", .array(let entries)):
      JSONValue(
        .array(entries.flatMap { keyedEntries($0) ?? [$0] }.map { map($0, .entry, entry) }),
        range: value.range)
    case ("details", .object(let object)) where isEntry(object):
      JSONValue(.array([map(value, .entry, entry)]), range: value.range)
    case ("details", .object(let object)):
      JSONValue(
        .object(self.object(object, nil) { map($1, .entry, self.entry) }), range: value.range)
    case ("defaults", _): map(value, .defaults) { $1 }
    default: value
    }
  }

  private static func entry(_ name: String, _ value: JSONValue) -> JSONValue {
    switch (name, value.content) {
    case ("components", .array(let rules)):
      JSONValue(.array(rules.map { map($0, .component) { $1 } }), range: value.range)
    case ("components", .object):
      JSONValue(.array([map(value, .component) { $1 }]), range: value.range)
    case ("appIDs", .string), ("paths", .string): JSONValue(.array([value]), range: value.range)
    case ("defaults", _): map(value, .defaults) { $1 }
    default: value
    }
  }

  /// Returns the entries of an object whose names are apps, or `nil` if it isn't such an object.
  static func keyedEntries(_ value: JSONValue) -> [JSONValue]? {
    guard let object = value.object, !object.members.isEmpty,
      object.members.allSatisfy({ $0.name.contains(".") && $0.value.object != nil })
    else { return nil }
    return object.members.map { member in
      let range = member.nameRange
      var entry = JSONObject()
      let id = JSONValue(.string(member.name), range: range)
      // Another range than that of its element: it isn't a single value in place of an array.
      entry.add(
        JSONObject.Member(
          name: appName(of: member.value), nameRange: range,
          value: appName(of: member.value) == "appIDs"
            ? JSONValue(.array([id]), range: range.lowerBound..<range.lowerBound) : id))
      for own in member.value.object?.members ?? [] { entry.add(own) }
      return JSONValue(.object(entry), range: member.value.range)
    }
  }

  /// The name of the member for the app of an entry: that which the systems read that read its rules.
  static func appName(of entry: JSONValue) -> String {
    entry.object?["components"] == nil ? "appID" : "appIDs"
  }

  /// Returns a Boolean value indicating whether an object is an entry, not the oldest notation of
  /// 'details', whose names are identifiers.
  private static func isEntry(_ details: JSONObject) -> Bool {
    ["appIDs", "appID", "components", "paths"].contains { details[$0] != nil }
      && !details.members.contains { $0.value.object != nil && $0.name.contains(".") }
  }

  private static func map(
    _ value: JSONValue, _ level: FileLevel, _ change: (String, JSONValue) -> JSONValue
  ) -> JSONValue {
    value.object.map { JSONValue(.object(object($0, level, change)), range: value.range) } ?? value
  }

  /// Returns a Boolean value indicating whether a member is an array of apps under the name of a
  /// single one.
  static func isArrayOfApps(_ member: JSONObject.Member, in object: JSONObject) -> Bool {
    member.name == "appID" && object["appIDs"] == nil
      && !(member.value.array ?? []).isEmpty
      && (member.value.array ?? []).allSatisfy { $0.string != nil }
  }

  /// Corrects the names of an object's members, and changes their values.
  private static func object(
    _ object: JSONObject, _ level: FileLevel?, _ change: (String, JSONValue) -> JSONValue
  ) -> JSONObject {
    var corrected = JSONObject()
    for member in object.members {
      var member = member
      if let level, let right = level.correction(of: member, in: object),
        corrected[right] == nil
      {
        member.misspelling = member.name
        if right == "/", member.name.isPatternAsKey {
          member.value = JSONValue(.string(member.name), range: member.nameRange)
        }
        member.name = right
      }
      if level == .entry, isArrayOfApps(member, in: object) {
        (member.misspelling, member.name) = (member.name, "appIDs")
      }
      member.value = change(member.name, member.value)
      corrected.add(member)
    }
    corrected.addDuplicates(of: object)
    return corrected
  }
}
