/// What the elements of routes expect: many routes expect the same in some place.
struct RouteExpectations: Sendable {
  /// Each of them once.
  let matchers: [RouteSegmentMatcher]

  /// The numbers of the matchers by route, path and element.
  let numbers: [[[Int]]]

  init(_ routes: [RoutePattern]) {
    var matchers: [RouteSegmentMatcher] = []
    var known: [RouteSegmentMatcher: Int] = [:]
    numbers = routes.map { route in
      route.paths.map { path in
        path.elements.map { element in
          if let number = known[element.matcher] { return number }
          known[element.matcher] = matchers.count
          matchers.append(element.matcher)
          return matchers.count - 1
        }
      }
    }
    self.matchers = matchers
  }
}
