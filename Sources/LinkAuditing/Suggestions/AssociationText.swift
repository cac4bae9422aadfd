internal import UniversalLinks

/// The text of an association file, for putting rules into it and leaving all else as it is.
struct AssociationText: Sendable {
  /// The text of the file in UTF-8, without a byte order mark.
  let bytes: [UInt8]
  private let links: JSONObject?

  init(_ bytes: [UInt8]) throws(JSONSyntaxError) {
    self.bytes = EncodedText(bytes).bytes
    links = try JSONParser.parse(self.bytes).object?["applinks"]?.object
  }

  private func object(of entry: AssociationFile.EntryID) -> JSONObject? {
    switch entry {
    case .index(let index):
      guard let details = links?["details"]?.array, details.indices.contains(index) else {
        return nil
      }
      return details[index].object
    case .key(let key): return links?["details"]?.object?[key]?.object
    case .apps: return nil
    }
  }

  var variableNames: [String] { links?["substitutionVariables"]?.object?.members.map(\.name) ?? [] }

  /// The names of the members that rules of an entry take from defaults.
  func defaultNames(for entry: AssociationFile.EntryID) -> Set<String> {
    Set(
      [links?["defaults"], object(of: entry)?["defaults"]]
        .flatMap { $0?.object?.members.map(\.name) ?? [] })
  }

  /// Whether an element of `paths` of an entry excludes by defaults.
  func excludesByDefault(in entry: AssociationFile.EntryID) -> Bool {
    probes(["\"/\""], in: .paths, like: entry).entries.first?.paths?.first?.excludes ?? false
  }

  /// A file with rules, given as JSON, that are each alone in an entry, under the variables here
  /// and the defaults of an entry.
  func probes(
    _ elements: [String], in list: RuleID.List, like entry: AssociationFile.EntryID
  ) -> AssociationFile {
    func member(_ name: String, _ value: JSONValue?) -> String {
      value.map { ",\"\(name)\":\(String(decoding: bytes[$0.range], as: UTF8.self))" } ?? ""
    }
    let defaults = member("defaults", object(of: entry)?["defaults"])
    let entries = elements.enumerated().map { index, element in
      let app = list == .paths ? "\"appID\":\"\(index)\"" : "\"appIDs\":[\"\(index)\"]"
      return "{\(app),\"\(list.rawValue)\":[\(element)]\(defaults)}"
    }
    let common =
      member("substitutionVariables", links?["substitutionVariables"])
      + member("defaults", links?["defaults"])
    let text = "{\"applinks\":{\"details\":[\(entries.joined(separator: ",\n"))]\(common)}}"
    return (try? AssociationFile(decoding: Array(text.utf8))) ?? AssociationFile(entries: [])
  }

  private func elements(_ list: RuleID.List, of entry: AssociationFile.EntryID) -> JSONValue? {
    object(of: entry)?[list.rawValue]
  }

  /// Whether the objects of a list have spaces inside their braces.
  func hasSpacedObjects(_ list: RuleID.List, of entry: AssociationFile.EntryID) -> Bool {
    let objects = (elements(list, of: entry)?.array ?? []).filter { $0.object != nil }
    return objects.contains { bytes[$0.range].dropFirst().first == 0x20 }
  }

  /// Returns the file with elements inserted into a list, in the layout of its other elements.
  ///
  /// Insertions are elements as JSON, each with the position of the element that it precedes; the number
  /// of elements means the end.
  func inserting(
    _ insertions: [(position: Int, elements: [String])], into list: RuleID.List,
    of entry: AssociationFile.EntryID
  ) -> [UInt8] {
    guard let value = elements(list, of: entry), let array = value.array else { return bytes }
    let separator = separator(of: array, in: value.range)
    var output = bytes
    for insertion in insertions.sorted(by: { $0.position > $1.position })
    where !insertion.elements.isEmpty {
      if array.isEmpty {
        let text = insertion.elements.joined(separator: separator)
        output.insert(contentsOf: text.utf8, at: value.range.lowerBound + 1)
      } else if insertion.position < array.count {
        let text = insertion.elements.map { $0 + separator }.joined()
        output.insert(contentsOf: text.utf8, at: array[insertion.position].range.lowerBound)
      } else {
        let text = insertion.elements.map { separator + $0 }.joined()
        output.insert(contentsOf: text.utf8, at: array[array.count - 1].range.upperBound)
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
