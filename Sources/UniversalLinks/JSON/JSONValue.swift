internal import Foundations

/// A JSON value with the place in the text from which it was read.
///
/// General decoders hide three things that association files need. These are the order of members
/// (the object form of `details` lists apps in file order), the difference between an absent member
/// and a `null` one, and the position of each value.
package struct JSONValue: Hashable, Sendable {
  /// The content of a value.
  package enum Content: Hashable, Sendable {
    case null
    case boolean(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
  }

  /// The content.
  package var content: Content

  /// The bytes of the text that spell this value, as offsets from its start.
  package var range: Range<Int>

  /// Creates a value with the given content and position.
  package init(_ content: Content, range: Range<Int>) {
    (self.content, self.range) = (content, range)
  }
}

extension JSONValue {
  /// Whether it is an array only because lint checks a single value as if it were in one.
  var isWrapped: Bool { array?.count == 1 && array?.first?.range == range }

  /// The text of a string, or `nil` for any other value.
  package var string: String? {
    if case .string(let text) = content { text } else { nil }
  }

  /// The elements of an array, or `nil` for any other value.
  package var array: [JSONValue]? {
    if case .array(let elements) = content { elements } else { nil }
  }

  /// The members of an object, or `nil` for any other value.
  package var object: JSONObject? {
    if case .object(let object) = content { object } else { nil }
  }
}

/// The members of a JSON object in the order of the text.
///
/// A name that occurs twice has the place of its first occurrence and the value of its last, as in
/// Apple's parser.
package struct JSONObject: Hashable, Sendable {
  /// A name and its value.
  package struct Member: Hashable, Sendable {
    /// The name, with escapes undone.
    package var name: String

    /// The bytes of the text that spell the name, with its quotes.
    package var nameRange: Range<Int>

    /// The value.
    package var value: JSONValue

    /// The name in the file, if lint checks the value as if it had the right name.
    var misspelling: String?
  }

  /// The members, each name once.
  package private(set) var members: [Member] = []

  /// The positions of names that occurred before in the same object.
  package internal(set) var duplicateNames: [Range<Int>] = []

  /// The positions of names, if there are too many for a linear search.
  ///
  /// A file can have a million small objects, for which tables would take most of the memory.
  private var positions: [[UInt8]: Int] = [:]

  private static let searchedCount = 8

  /// Returns the position of the member whose name has these bytes.
  ///
  /// Strings are equal if they differ in Unicode normalization only (Matching.md, 3.5 and 3b.4).
  private func position(of name: String) -> Int? {
    // Most names differ as strings, which is quicker to see.
    members.count <= Self.searchedCount
      ? members.firstIndex { $0.name == name && $0.name.hasSameBytes(as: name) }
      : positions[Array(name.utf8)]
  }

  /// The value of the member with the given name, or `nil` if there is none.
  package subscript(name: String) -> JSONValue? {
    position(of: name).map { members[$0].value }
  }

  /// Changes the values of all members.
  mutating func changeValues(_ change: (JSONValue) -> JSONValue) {
    for index in members.indices { members[index].value = change(members[index].value) }
  }

  /// Adds a member, or replaces the value of the one that has its name.
  mutating func add(_ member: Member) {
    if let position = position(of: member.name) {
      duplicateNames.append(member.nameRange)
      members[position].value = member.value
      return
    }
    members.append(member)
    guard members.count > Self.searchedCount else { return }
    for position in (positions.isEmpty ? 0 : members.count - 1)..<members.count {
      positions[Array(members[position].name.utf8)] = position
    }
  }
}
