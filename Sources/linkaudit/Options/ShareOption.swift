internal import ArgumentParser
internal import Foundations
internal import LinkAuditing
internal import UniversalLinks

/// A share as people write it: `5%`, `0.1%`.
struct ShareOption: ExpressibleByArgument {
  /// The share in hundredths of a percent.
  let basisPoints: SeverityLevels.BasisPoints

  init?(argument: String) {
    guard argument.hasSuffix("%") else { return nil }
    let parts = argument.dropLast().split(separator: ".", omittingEmptySubsequences: false)
    let isPlain = parts.allSatisfy { part in
      !part.isEmpty && part.utf8.allSatisfy(\.isDigit)
    }
    guard isPlain, parts.count <= 2, let whole = parts.first.flatMap({ Int($0) }),
      whole <= 100
    else { return nil }
    // The unit is a hundredth of a percent.
    let decimals = parts.count == 2 ? String(parts[1]) : ""
    guard decimals.utf8.count <= 2 else { return nil }
    let padded = decimals + String(repeating: "0", count: 2 - decimals.utf8.count)
    guard let hundredths = Int(padded), whole * 100 + hundredths <= 10_000 else { return nil }
    basisPoints = whole * 100 + hundredths
  }
}
