/// How a list of routes writes what a path may hold.
///
/// The same text means different things to different routers: `(tabs)/index.tsx` is a
/// file of Expo Router, whose route is `/`, and a path with two words anywhere else. So
/// a syntax is told for a whole file, by ``detect(in:)``, or named by whoever wrote it.
public enum RouteSyntax: String, CaseIterable, Hashable, Sendable {
  /// Each segment is read by its own marks: `:id`, `{id}`, `[id]`, `<id>`, `*`.
  case mixed

  /// `/buy/:id`, as React Navigation, go_router, Vue Router and JLRoutes have it.
  case colon

  /// `/buy/{id}`, as DeepLinkDispatch, Ktor and Spring have it.
  case braces

  /// `/buy/[id]`, as file-based routers print their routes.
  case brackets

  /// `/buy/<int:id>`, as URLNavigator, Flask and Django have it.
  case angles

  /// `buy/[id].tsx`: the files below `app` of Expo Router.
  case expoRouter = "expo-router"

  /// `buy/[id]/page.tsx`: the files below `app` or `pages` of Next.js.
  case nextJS = "nextjs"

  /// `host=www.example.com pathPrefix=/buy/`: the data of an Android intent filter.
  case android

  /// The name, as options and reports have it.
  public var name: String { rawValue }

  /// What it is, in a sentence.
  public var summary: String {
    switch self {
    case .mixed: "Each segment is read by its own marks, ':id', '{id}', '[id]', '<id>' or '*'."
    case .colon: "A parameter is ':id', as with React Navigation, go_router and JLRoutes."
    case .braces: "A parameter is '{id}', as with DeepLinkDispatch, Ktor and Spring."
    case .brackets: "A parameter is '[id]', as file-based routers print their routes."
    case .angles: "A parameter is '<id>' or '<int:id>', as with URLNavigator, Flask and Django."
    case .expoRouter: "A line is a file of Expo Router, such as '(tabs)/buy/[id].tsx'."
    case .nextJS: "A line is a file of Next.js, such as 'buy/[id]/page.tsx'."
    case .android:
      "A line is the data of an Android intent filter, such as 'host=example.com pathPrefix=/buy/'."
    }
  }

  /// A Boolean value indicating whether lines are paths of files.
  var isOfFiles: Bool { self == .expoRouter || self == .nextJS }

  /// A Boolean value indicating whether the router takes the route that says most of a
  /// path, wherever it stands, rather than the first.
  var prefersSpecific: Bool { isOfFiles }
}

extension RouteSyntax {
  /// The marks that begin a parameter.
  struct Marks: OptionSet {
    let rawValue: UInt8

    static let colon = Marks(rawValue: 1)
    static let braces = Marks(rawValue: 2)
    static let brackets = Marks(rawValue: 4)
    static let angles = Marks(rawValue: 8)
    static let all: Marks = [.colon, .braces, .brackets, .angles]
  }

  var marks: Marks {
    switch self {
    case .mixed, .android: .all
    case .colon: .colon
    case .braces: .braces
    case .brackets, .expoRouter, .nextJS: .brackets
    case .angles: .angles
    }
  }
}
