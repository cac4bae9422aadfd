internal import UniversalLinks

extension [AssociationFile.Entry] {
  /// The apps that any system finds in the entries, each once, in the order in which they
  /// are named first.
  var distinctApps: [ApplicationIdentifier] {
    var known: Set<ApplicationIdentifier> = []
    return flatMap(\.namedApps).filter { known.insert($0).inserted }
  }
}
