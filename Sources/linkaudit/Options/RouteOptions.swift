internal import ArgumentParser

/// The options about the routes of apps.
struct RouteOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read the routes of the app from this file, one a line, such as '/buy/:id'. For one of several sites, write HOST=FILE.",
      valueName: "file"),
    completion: .file())
  var routes: [String] = []

  @Option(
    help: ArgumentHelp(
      "Read routes in this syntax. For one of several sites, write HOST=NAME. (default: detected)",
      valueName: "name"))
  var routeSyntax: [RouteSyntaxOption] = []
}
