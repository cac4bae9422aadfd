extension RouteTable {
  /// A line of a list of routes that names no route of the site.
  public struct Omission: Hashable, Sendable {
    /// Why a line was passed over.
    public enum Reason: Hashable, Sendable {
      /// It is a link with a scheme of the app's own, never a Universal Link.
      case customScheme(String)

      /// It is a URL of another host.
      case otherHost(String)

      /// It is a file that the router reads for itself, such as `_layout.tsx`.
      case noScreen

      /// It is a file that holds no source of a router.
      case noSourceFile

      /// It has a bracket without its other one.
      case unbalanced(String)

      /// It has a fragment, which never reaches a server.
      case fragment

      /// It has so many optional parts that it is no route that anyone wrote.
      case tooManyOptionalParts

      /// It is longer than any route.
      case tooLong

      /// It doesn't look like a route.
      case noRoute
    }

    /// The number of the line, from 1.
    public var line: Int

    /// The line without its comment.
    public var text: String

    /// Why it was passed over.
    public var reason: Reason
  }
}

extension RouteTable.Omission.Reason: CustomStringConvertible {
  /// The reason in words that go behind the line.
  public var description: String {
    switch self {
    case .customScheme(let scheme):
      "links with the scheme '\(scheme)' are no Universal Links"
    case .otherHost(let host): "it is for another host, '\(host)'"
    case .noScreen: "the router reads this file for itself; it is no screen"
    case .noSourceFile: "this is no source file of the router"
    case .unbalanced(let bracket): "'\(bracket)' is never closed"
    case .fragment: "what follows '#' never reaches a server"
    case .tooManyOptionalParts: "it has too many optional parts"
    case .tooLong: "it is too long"
    case .noRoute: "it doesn't look like a route"
    }
  }

  /// A Boolean value indicating whether a list has such lines by its nature, so that
  /// nobody needs to be told.
  public var isExpected: Bool { self == .noScreen || self == .noSourceFile }
}
