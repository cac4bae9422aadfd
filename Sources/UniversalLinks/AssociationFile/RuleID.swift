/// The identity of a rule in an association file: its entry, the array there, and the position in
/// the array.
///
/// It names the same rule for every app that shares the entry and for every generation of systems
/// that reads the array.
public struct RuleID: Hashable, Sendable {
  /// The arrays of an entry that hold rules.
  public enum List: String, CaseIterable, Hashable, Sendable {
    /// The array `components`.
    case components

    /// The array `paths`, or the entry as a whole if it has neither array.
    case paths
  }

  /// The entry of `details` that holds the rule.
  public var entry: AssociationFile.EntryID

  /// The array that holds the rule.
  public var list: List

  /// The position in the array, from 0, or `nil` for an entry without rules.
  ///
  /// Such an entry matches every URL, as one rule would.
  public var position: Int?

  /// Creates the identity of a rule.
  public init(entry: AssociationFile.EntryID, list: List, position: Int?) {
    (self.entry, self.list, self.position) = (entry, list, position)
  }
}

extension AssociationFile {
  /// The identity of an entry of `details`.
  public enum EntryID: Sendable {
    /// The position in the array, from 0.
    case index(Int)

    /// The key in the object form.
    case key(String)

    /// Any entry for an app of `apps` in a file without `details`; none has rules.
    case apps
  }
}

extension AssociationFile.EntryID: Hashable {
  /// The literal text of a key: a file can have two keys that differ only in Unicode normalization.
  private var literalKey: LiteralKey? {
    if case .key(let key) = self { LiteralKey(key) } else { nil }
  }

  /// Returns a Boolean value indicating whether both identify the same entry.
  public static func == (first: Self, second: Self) -> Bool {
    switch (first, second) {
    case (.index(let one), .index(let other)): one == other
    case (.key, .key): first.literalKey == second.literalKey
    case (.apps, .apps): true
    case (.index, _), (.key, _), (.apps, _): false
    }
  }

  /// Feeds the identity into a hasher.
  public func hash(into hasher: inout Hasher) {
    if case .index(let index) = self { hasher.combine(index) }
    hasher.combine(literalKey)
  }
}
