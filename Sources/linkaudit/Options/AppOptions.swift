internal import ArgumentParser

/// The apps of sites that count.
struct AppOptions: ParsableArguments {
  @Option(
    name: .customLong("app"),
    help: ArgumentHelp(
      "Audit this app only; repeatable. For one of several sites, write HOST=ID. (default: all apps of the file)",
      valueName: "id"))
  var apps: [String] = []
}
