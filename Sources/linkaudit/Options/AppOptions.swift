internal import ArgumentParser

/// The apps of sites that count.
struct AppOptions: ParsableArguments {
  @Option(
    name: .customLong("app"),
    help: ArgumentHelp(
      "Audit this app only; repeatable. Use HOST=ID for one of several sites. (default: all apps of the file)",
      valueName: "id"))
  var apps: [String] = []
}
