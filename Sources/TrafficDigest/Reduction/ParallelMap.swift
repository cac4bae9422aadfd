extension RandomAccessCollection where Self: Sendable, Element: Sendable, Index == Int {
  /// Calls `body` for each element, by several workers at the same time.
  ///
  /// - Returns: The results in the order of the elements.
  package func mapInParallel<Result: Sendable>(
    jobs: Int, _ body: @Sendable (Element) -> Result
  ) -> [Result] {
    let counter = WorkCounter(upTo: count)
    let shares = inParallel(jobs: Swift.max(1, Swift.min(jobs, count))) { _ in
      var own: [(number: Int, result: Result)] = []
      while let number = counter.draw() {
        own.append((number, body(self[startIndex + number])))
      }
      return own
    }
    var results = [Result?](repeating: nil, count: count)
    for (number, result) in shares.joined() { results[number] = result }
    return results.compactMap(\.self)
  }
}
