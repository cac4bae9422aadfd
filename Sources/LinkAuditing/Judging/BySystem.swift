internal import UniversalLinks

/// A value for each generation of systems.
struct BySystem<Value> {
  var current: Value
  var legacy: Value

  /// Makes the value of each generation, that of current systems first.
  init(_ make: (OperatingSystem) -> Value) {
    (current, legacy) = (make(.current), make(.legacy))
  }

  subscript(system: OperatingSystem) -> Value {
    get {
      switch system {
      case .current: current
      case .legacy: legacy
      }
    }
    _modify {
      switch system {
      case .current: yield &current
      case .legacy: yield &legacy
      }
    }
  }
}

extension BySystem: Equatable where Value: Equatable {}
extension BySystem: Hashable where Value: Hashable {}
extension BySystem: Sendable where Value: Sendable {}
