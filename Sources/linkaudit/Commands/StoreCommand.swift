internal import ArgumentParser

/// The commands that maintain a store.
struct StoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store",
    abstract: "Check, list and repair a store.",
    discussion: """
      EXAMPLES
        linkaudit store list --store /var/lib/linkaudit
        linkaudit store check --store /var/lib/linkaudit
        linkaudit store remove-day 2026-11-19 --store /var/lib/linkaudit
        linkaudit store rename-host shop.example www.shop.example \\
            --store /var/lib/linkaudit
        linkaudit store remove-site wwww.example.com --store /var/lib/linkaudit
        linkaudit store rebuild --store /var/lib/linkaudit --routes routes.txt
      """,
    subcommands: [
      StoreListCommand.self, StoreCheckCommand.self, StoreRemoveDayCommand.self,
      StoreRemoveSiteCommand.self, StoreRenameHostCommand.self, StoreRebuildCommand.self,
    ]
  )
}
