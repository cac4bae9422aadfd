public import ArgumentParser
public import Foundations
public import LinkAuditing
public import UniversalLinks

extension ExpressibleByArgument where Self: CaseIterable & RawRepresentable, RawValue == String {
  /// Reads a value in any letter case.
  public init?(argument: String) {
    let name = argument.lowercased()
    guard let value = Self.allCases.first(where: { $0.rawValue.lowercased() == name }) else {
      return nil
    }
    self = value
  }
}

/// Throws a message about the command line if something in it is wrong.
func refuse(if isWrong: Bool, _ message: @autoclosure () -> String) throws(ValidationError) {
  if isWrong { throw ValidationError(message()) }
}

/// Returns a function that reads a number that obeys a rule, such as `must be at least 1`.
func number<Bounds: RangeExpression & Sendable>(
  _ bounds: Bounds, _ rule: String
) -> @Sendable (String) throws -> Bounds.Bound where Bounds.Bound: LosslessStringConvertible {
  { text in
    guard let number = Bounds.Bound(text), bounds.contains(number) else {
      throw ValidationError("it \(rule)")
    }
    return number
  }
}

// The libraries don't depend on the command line.
extension Severity: ExpressibleByArgument {}
extension OperatingSystem: ExpressibleByArgument {}
extension SystemRelease: ExpressibleByArgument {}
extension DiagnosticCatalog.Origin: ExpressibleByArgument {}

extension Day: ExpressibleByArgument {
  /// Reads a day as people write it: `2026-11-19`.
  public init?(argument: String) { self.init(argument) }
}

extension PathGrouping: ExpressibleByArgument {
  /// Reads `template`, `exact`, or `depth:2`.
  public init?(argument: String) {
    let argument = argument.lowercased()
    switch argument {
    case "template": self = .template
    case "exact": self = .exact
    default:
      guard argument.hasPrefix("depth:"), let depth = Int(argument.dropFirst(6)), depth > 0 else {
        return nil
      }
      self = .depth(depth)
    }
  }

  /// The values, for messages.
  public static var allValueStrings: [String] { ["template", "exact", "depth:N"] }

  /// The values that shells offer; in some of them, a colon ends a word.
  public static var defaultCompletionKind: CompletionKind { .list(["template", "exact"]) }
}

extension Traffic.Weight: ExpressibleByArgument {}
extension DeliverySource: ExpressibleByArgument {}

/// A share as people write it: `5%`, `0.1%`.
struct ShareOption: ExpressibleByArgument {
  /// The share in hundredths of a percent.
  let basisPoints: BasisPoints

  init?(argument: String) {
    guard let match = argument.wholeMatch(of: /([0-9]{1,3})(?:\.([0-9]{1,2}))?%/) else {
      return nil
    }
    let hundredths = "\(match.1)" + (String(match.2 ?? "") + "00").prefix(2)
    guard let points = Int(hundredths), points <= 10_000 else { return nil }
    basisPoints = points
  }
}
