internal import UniversalLinks

/// The text of an association file, for putting rules into a list of one of its entries and leaving
/// all else as it is.
struct AssociationText: Sendable {
  /// The text of the file in UTF-8, without a byte order mark.
  let bytes: [UInt8]
  var list: RuleID.List

  /// The names of the members that rules take from defaults.
  let defaults: Set<String>

  /// Whether the objects of the list have spaces inside their braces.
  private(set) var isSpaced = false

  /// Whether defaults make all elements of `paths` exclude, which no element can undo.
  ///
  /// Systems that know no defaults ignore that.
  private var isExcluding = false
  private let links: JSONObject?
  private let entry: JSONObject?

  init(
    _ content: [UInt8], entry id: AssociationFile.EntryID, list: RuleID.List
  ) throws(JSONSyntaxError) {
    (bytes, self.list) = (EncodedText(content).bytes, list)
    links = try JSONParser.parse(bytes).object?["applinks"]?.object
    let details = links?["details"]
    switch id {
    case .index(let index):
      entry = details?.array.flatMap { $0.indices.contains(index) ? $0[index].object : nil }
    case .key(let key): entry = details?.object?[key]?.object
    case .apps: entry = nil
    }
    defaults = Set(
      [links?["defaults"], entry?["defaults"]].flatMap { $0?.object?.members.map(\.name) ?? [] })
    isSpaced = (entry?[list.rawValue]?.array ?? []).contains {
      $0.object != nil && bytes[$0.range].dropFirst().first == 0x20
    }
    isExcluding =
      list == .paths
      && probes([ComponentDraft(path: "/")]).entries.first?.paths?.first?.excludes == true
  }

  /// Whether all rules of the list exclude on a system.
  func excludes(_ system: OperatingSystem) -> Bool { isExcluding && system == .current }

  var variableNames: [String] { links?["substitutionVariables"]?.object?.members.map(\.name) ?? [] }

  /// A file with rules that are each alone in an entry, under the variables here and the defaults of
  /// the entry.
  func probes(_ drafts: [ComponentDraft]) -> AssociationFile {
    func member(_ name: String, of object: JSONObject?) -> String {
      let value = object?[name].map { String(decoding: bytes[$0.range], as: UTF8.self) }
      return value.map { ",\"\(name)\":\($0)" } ?? ""
    }
    let defaults = member("defaults", of: entry)
    let entries = drafts.enumerated().map { index, draft in
      let app = list == .paths ? "\"appID\":\"\(index)\"" : "\"appIDs\":[\"\(index)\"]"
      return "{\(app),\"\(list.rawValue)\":[\(draft.json(in: self))]\(defaults)}"
    }
    let common = member("substitutionVariables", of: links) + member("defaults", of: links)
    let text = "{\"applinks\":{\"details\":[\(entries.joined(separator: ",\n"))]\(common)}}"
    return (try? AssociationFile(decoding: Array(text.utf8))) ?? AssociationFile(entries: [])
  }

  /// Returns the file with elements inserted into the list, in the layout of its other elements.
  ///
  /// Insertions are elements as JSON, each with the position of the element that it precedes; the number
  /// of elements means the end.
  func inserting(_ insertions: [(position: Int, elements: [String])]) -> [UInt8] {
    guard let value = entry?[list.rawValue], let array = value.array else { return bytes }
    let separator = separator(of: array, in: value.range)
    var output = bytes
    for insertion in insertions.sorted(by: { $0.position > $1.position })
    where !insertion.elements.isEmpty {
      let text = insertion.elements.joined(separator: separator)
      if insertion.position < array.count {
        let place = array[insertion.position].range.lowerBound
        output.insert(contentsOf: (text + separator).utf8, at: place)
      } else if let last = array.last {
        output.insert(contentsOf: (separator + text).utf8, at: last.range.upperBound)
      } else {
        output.insert(contentsOf: text.utf8, at: value.range.lowerBound + 1)
      }
    }
    return output
  }

  private func separator(of array: [JSONValue], in range: Range<Int>) -> String {
    if array.count > 1 {
      return String(
        decoding: bytes[array[0].range.upperBound..<array[1].range.lowerBound], as: UTF8.self)
    }
    guard let only = array.first else { return ", " }
    let start = String(
      decoding: bytes[(range.lowerBound + 1)..<only.range.lowerBound], as: UTF8.self)
    return "," + (start.contains { $0.isNewline } ? start : " ")
  }
}

/// A possible new rule, before any file has read it.
struct ComponentDraft: Hashable, Sendable {
  var path: String
  var items: [RuleDefinition.Item] = []
  var excludes = false

  /// Whether letter case matters, or `nil` to leave that to defaults.
  var isCaseSensitive: Bool?

  /// Whether patterns are compared with the percent-encoded text, or `nil` to leave that
  /// to defaults.
  var isPercentEncoded: Bool?

  /// The rule as an element of the list, in JSON on one line.
  func json(in file: AssociationText) -> String {
    if file.list == .paths { return LintFix.literal((excludes ? "NOT " : "") + path) }
    func object(_ members: [(name: String, json: String)]) -> String {
      let text = members.map { "\(LintFix.literal($0.name)): \($0.json)" }.joined(separator: ", ")
      return file.isSpaced && !text.isEmpty ? "{ \(text) }" : "{\(text)}"
    }
    // Repeat the members that defaults set.
    var members = [("/", LintFix.literal(path))]
    if !items.isEmpty || file.defaults.contains("?") {
      members.append(("?", object(items.map { ($0.name, LintFix.literal($0.pattern)) })))
    }
    if file.defaults.contains("#") { members.append(("#", "\"*\"")) }
    if excludes || file.defaults.contains("exclude") { members.append(("exclude", "\(excludes)")) }
    if let isCaseSensitive { members.append(("caseSensitive", "\(isCaseSensitive)")) }
    if let isPercentEncoded { members.append(("percentEncoded", "\(isPercentEncoded)")) }
    return object(members)
  }

  /// Returns the rule with each way of comparing that can differ under the file's defaults.
  func variants(in file: AssociationText) -> [ComponentDraft] {
    let hasEncoding = file.defaults.contains("percentEncoded")
    var (encoded, decoded) = (self, self.decoded)
    if file.list == .paths {
      // Elements can't say how they are compared, so defaults decide which of the two matches.
      return [encoded, hasEncoding ? decoded : nil].compactMap(\.self)
    }
    if hasEncoding { encoded.isPercentEncoded = true }
    decoded?.isPercentEncoded = false
    return [encoded, decoded].compactMap(\.self).flatMap { draft in
      var caseSensitive = draft
      caseSensitive.isCaseSensitive = true
      return file.defaults.contains("caseSensitive") ? [draft, caseSensitive] : [draft]
    }
  }

  /// The rule with escapes of letters outside ASCII decoded, or `nil` if it holds none, or
  /// others.
  private var decoded: ComponentDraft? {
    var draft = self
    guard let path = Self.decoded(path) else { return nil }
    draft.path = path
    for index in items.indices {
      guard let name = Self.decoded(items[index].name),
        let pattern = Self.decoded(items[index].pattern)
      else { return nil }
      (draft.items[index].name, draft.items[index].pattern) = (name, pattern)
    }
    return draft == self ? nil : draft
  }

  /// Text with its escapes decoded if all of them are of letters outside ASCII.
  private static func decoded(_ text: String) -> String? {
    let bytes = PercentEncoding.decoded(Array(text.utf8))
    guard let output = String(validating: bytes, as: UTF8.self) else { return nil }
    let ascii = text.utf8.count { $0 != UInt8(ascii: "%") }
    let isSafe = output.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII || scalar.properties.isAlphabetic
    }
    // A decoded ASCII character may have a meaning.
    let escapes = text.utf8.count { $0 == UInt8(ascii: "%") }
    let kept = output.utf8.count { $0 < 0x80 }
    return isSafe && kept == ascii - escapes * 2 ? output : nil
  }
}
