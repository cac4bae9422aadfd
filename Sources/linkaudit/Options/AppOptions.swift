internal import ArgumentParser

/// Which apps of sites count.
struct AppOptions: ParsableArguments {
  @Option(
    name: .customLong("app"),
    help: ArgumentHelp(
      "An app that counts; all that the file names unless given. HOST=ID for one site of several. May be repeated.",
      valueName: "id"))
  var apps: [String] = []
}
