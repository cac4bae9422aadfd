internal import ArgumentParser

/// The options about the routes of apps.
struct RouteOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read the routes that the app implements from this file, one a line, such as '/buy/:id'. Use HOST=FILE for one of several sites.",
      valueName: "file"),
    completion: .file())
  var routes: [String] = []

  @Option(
    help: ArgumentHelp(
      "The syntax of the routes. Use HOST=NAME for one of several sites. (default: detected)",
      valueName: "name"))
  var routeSyntax: [RouteSyntaxOption] = []
}
