internal import ArgumentParser
internal import LinkAuditing

/// The options about the routes of apps.
struct RouteOptions: ParsableArguments {
  @Option(
    help: .usual(
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

/// The syntax of the routes of all sites, or of one.
struct RouteSyntaxOption: ExpressibleByArgument {
  /// The host of the site, in lower case, or `nil` for all of them.
  var host: String?
  var syntax: RouteSyntax

  init(host: String?, syntax: RouteSyntax) {
    self.host = host
    self.syntax = syntax
  }

  /// Reads `NAME` or `HOST=NAME`.
  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.last, let syntax = RouteSyntax(rawValue: name.lowercased()) else {
      return nil
    }
    host = parts.count == 2 ? parts[0].lowercased() : nil
    self.syntax = syntax
  }

  static var allValueStrings: [String] { RouteSyntax.allCases.map(\.name) }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

/// The apps of sites that count.
struct AppOptions: ParsableArguments {
  @Option(
    name: .customLong("app"),
    help: ArgumentHelp(
      "Audit this app only; repeatable. For one of several sites, write HOST=ID. (default: all apps of the file)",
      valueName: "id"))
  var apps: [String] = []
}
