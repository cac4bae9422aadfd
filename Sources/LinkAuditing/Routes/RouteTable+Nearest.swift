extension RouteTable {
  /// Returns the route that differs least from a path that has none, or `nil` if there is
  /// none that anybody could have meant.
  ///
  /// Somebody could have meant a route if a text of it stands in the path at its place, or
  /// one in another letter case or with a slip of the pen; if no more of the route's texts
  /// are missing than there are; and if no more segments are too many or too few than fit.
  /// Of routes that differ as much, the first counts.
  ///
  /// - Parameters:
  ///   - path: The path, percent-encoded; `{n}`, `{uuid}` and the like in a family of paths
  ///     stand for what they say.
  ///   - query: The query without its `?`, percent-encoded.
  /// - Returns: The route, and what keeps the path from it.
  /// - Complexity: O(*n*), where *n* is the number of routes.
  public func nearest(path: [UInt8], query: [UInt8]) -> NearestRoute? {
    var path = path
    RouteText.raiseEscapes(in: &path)
    let segments = path.split(separator: UInt8(ascii: "/"))
    // Nobody means a route by so long a path, and nothing takes long this way.
    guard segments.count <= Self.segmentLimit else { return nil }
    var query = query
    RouteText.raiseEscapes(in: &query)
    let items = query.split(separator: UInt8(ascii: "&"))
    var alignment = RouteAlignment(segments, with: expectations.matchers)
    var best: (weight: Int, route: NearestRoute)?
    for position in order {
      let missing = routes[position].items.compactMap { $0.difference(from: items) }
      for (route, numbers) in zip(routes[position].paths, expectations.numbers[position])
      where route.condition == nil && route.elements.count <= Self.segmentLimit {
        guard alignment.canBeMeant(route.elements, numbers),
          let weight = alignment.weight(of: route.elements, numbers, below: best?.weight ?? .max)
        else { continue }
        // What a query lacks is easily added.
        let total = weight + missing.count
        if total == 0 { return nil }
        if total < best?.weight ?? .max,
          let differences = alignment.differences(of: route.elements, numbers)
        {
          best = (total, NearestRoute(route: position, differences: differences + missing))
        }
      }
    }
    return best?.route
  }

  private static let segmentLimit = 64
}

extension RoutePattern.Item {
  /// What keeps the items of a query from having this one.
  fileprivate func difference(from items: [ArraySlice<UInt8>]) -> RouteDifference? {
    let name = String(decoding: self.name, as: UTF8.self)
    var isThere = false
    for item in items {
      let itemName = item.prefix { $0 != UInt8(ascii: "=") }
      guard itemName.elementsEqual(self.name) else { continue }
      isThere = true
      if value.map({ item[itemName.endIndex...].dropFirst().elementsEqual($0) }) ?? true {
        return nil
      }
    }
    return isThere
      ? .queryValue(name: name, expected: String(decoding: value ?? [], as: UTF8.self))
      : .missingQueryItem(name: name)
  }
}
