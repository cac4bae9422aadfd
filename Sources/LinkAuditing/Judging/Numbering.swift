/// Values with numbers, in the order in which they came.
struct Numbering<Value: Hashable & Sendable>: Sendable {
  /// The values by their numbers.
  private(set) var values: [Value] = []
  private var numbers: [Value: Int] = [:]

  /// The number of a value; the next one if it has none yet.
  mutating func number(of value: Value) -> Int {
    if let number = numbers[value] { return number }
    let number = values.count
    values.append(value)
    numbers[value] = number
    return number
  }
}
