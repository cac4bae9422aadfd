internal import UniversalLinks

/// A value that is written as `null` if it is missing, so that its name is always present.
struct JSONNullable<Value: Encodable>: Encodable {
  let value: Value?

  init(_ value: Value?) { self.value = value }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let value { try container.encode(value) } else { try container.encodeNil() }
  }
}

/// The identity of an entry: its position, its key in the object form, or `null`
/// outside `details`.
struct JSONEntryID: Encodable {
  let entry: AssociationFile.EntryID

  init(_ entry: AssociationFile.EntryID) { self.entry = entry }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch entry {
    case .index(let index): try container.encode(index)
    case .key(let key): try container.encode(key)
    case .apps: try container.encodeNil()
    }
  }
}
