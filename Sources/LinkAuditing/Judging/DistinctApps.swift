internal import UniversalLinks

extension [AssociationFile.Entry] {
  /// The apps that any system finds in the entries, each once, in the order in which they
  /// are named first.
  var distinctApps: [ApplicationIdentifier] {
    var known: Set<ApplicationIdentifier> = []
    return flatMap(\.namedApps).filter { known.insert($0).inserted }
  }
}

extension [ApplicationIdentifier] {
  /// Groups the apps by the rules that decide for them: most files have many apps and few lists.
  ///
  /// - Parameter lists: A function that returns the lists of an app.
  /// - Returns: The groups, in the order of their first apps.
  func grouped<Lists: Hashable>(
    by lists: (ApplicationIdentifier) -> Lists
  ) -> [(lists: Lists, apps: [ApplicationIdentifier])] {
    var groups: [(lists: Lists, apps: [ApplicationIdentifier])] = []
    var numbers: [Lists: Int] = [:]
    for app in self {
      let lists = lists(app)
      let number = numbers[lists] ?? groups.count
      if number == groups.count { groups.append((lists, [])) }
      numbers[lists] = number
      groups[number].apps.append(app)
    }
    return groups
  }
}
