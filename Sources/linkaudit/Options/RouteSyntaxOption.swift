internal import ArgumentParser
internal import LinkAuditing

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
