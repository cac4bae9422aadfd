internal import ArgumentParser

/// The options about the routes of apps.
struct RouteOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What the app implements: a route a line, such as '/buy/:id'. HOST=FILE for one site of several.",
      valueName: "file"),
    completion: .file())
  var routes: [String] = []

  @Option(
    help: ArgumentHelp(
      "How the routes are written; told from the file unless given. HOST=NAME for one site of several.",
      valueName: "name"))
  var routeSyntax: [RouteSyntaxOption] = []
}
