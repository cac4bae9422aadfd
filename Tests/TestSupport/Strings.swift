/// Returns every string over `symbols` with at most `length` of them.
public func strings(over symbols: [String], upTo length: Int) -> [String] {
  var (all, longest) = ([""], [""])
  for _ in 0..<length {
    longest = longest.flatMap { prefix in symbols.map { prefix + $0 } }
    all += longest
  }
  return all
}
