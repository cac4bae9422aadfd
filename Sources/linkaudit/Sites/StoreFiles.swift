internal import AccessLogs
internal import AuditStore
internal import FoundationSubset
internal import SystemPackage

/// The files of stores among logs.
///
/// A directory of logs can contain a store, whose files are not logs.
struct StoreFiles {
  /// The files that belong to no store.
  private(set) var others: [LogInput] = []

  /// The directories of the stores whose files were found.
  private(set) var stores: [String] = []

  /// Separates the files of stores from others.
  ///
  /// - Parameters:
  ///   - inputs: All files.
  ///   - named: The paths and patterns by which they were found; one that leads into a store is
  ///     taken literally.
  init(_ inputs: [LogInput], named: [String]) {
    // By the path up to the last slash, because taking a path apart for each file costs more.
    var known: [Substring: String?] = [:]
    for input in inputs {
      let directory = Self.directory(of: input.path)
      let store: String?
      if let directory, let found = known[directory] {
        store = found
      } else {
        store = Self.store(of: Self.parent(of: input.path))
        if let directory { known[directory] = .some(store) }
      }
      guard let store, !input.isStandardInput,
        !named.contains(where: { Self.leads($0, into: store) })
      else {
        others.append(input)
        continue
      }
      if !stores.contains(store) { stores.append(store) }
    }
  }

  /// The store that a directory is, or is the digests of.
  private static func store(of directory: String) -> String? {
    if AuditStore.isStore(directory) { return directory }
    let above = parent(of: directory)
    return FilePath(directory).lastComponent?.string == "digests" && AuditStore.isStore(above)
      ? above : nil
  }

  /// The store that a file is or would be a part of, or `nil` if it is of none.
  static func store(holding path: String) -> String? {
    let place = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let parent = parent(of: place)
    guard let store = store(of: parent) else { return nil }
    let name = FilePath(place).lastComponent?.string ?? ""
    return parent != store || AuditStore.isOwnName(name) ? store : nil
  }

  private static func leads(_ path: String, into store: String) -> Bool {
    FilePath(path).lexicallyNormalized().starts(with: FilePath(store).lexicallyNormalized())
  }

  /// The path before a name, or `nil` if it doesn't end with a slash and a name.
  private static func directory(of path: String) -> Substring? {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
      path.utf8.index(after: slash) != path.utf8.endIndex
    else { return nil }
    return path[...slash]
  }

  private static func parent(of path: String) -> String {
    let parent = FilePath(path).removingLastComponent().string
    return parent.isEmpty ? "." : parent
  }
}
