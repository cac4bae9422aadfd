internal import Foundations

extension LogRecord {
  /// Detects a line that is interleaved with the next one, or that was read at the wrong positions.
  ///
  /// Text that names a client in the next line can't be part of a target or a host: no host has a
  /// blank, and no URL has a blank next to a time of day.
  ///
  /// - Parameter text: The text that contains the fields.
  /// - Returns: Why this is no request, or `nil` if it can be one.
  func tear(in text: Span<UInt8>) -> RejectionReason? {
    if let host, text.hasBlank(host) { return .noFields }
    return text.holdsTimeBesideBlank(target) ? .noStatus : nil
  }

  /// Returns a Boolean value indicating whether the target has the form of one (RFC 9112, 3.2),
  /// unlike columns at wrong positions.
  func hasTargetForm(in text: Span<UInt8>) -> Bool {
    let target = text.extracting(target)
    switch target[0] {
    case UInt8(ascii: "/"), UInt8(ascii: "*"): return true
    default: return target.beginsWithScheme || text.extracting(method).begins(with: "CONNECT")
    }
  }
}

extension Span<UInt8> {
  /// A Boolean value indicating whether these bytes begin as `https://` does.
  fileprivate var beginsWithScheme: Bool {
    guard let colon = firstIndex(of: UInt8(ascii: ":"), from: 0, to: count), colon > 0,
      begins(with: "://", at: colon)
    else { return false }
    return (0..<colon).allSatisfy { self[$0].isLetter }
  }

  func hasBlank(_ range: Range<Int>) -> Bool {
    firstIndex(of: UInt8(ascii: " "), from: range.lowerBound, to: range.upperBound) != nil
      || firstIndex(of: 0x09, from: range.lowerBound, to: range.upperBound) != nil
  }

  /// Returns a Boolean value indicating whether a time of day and a blank are in a part.
  package func holdsTimeBesideBlank(_ range: Range<Int>) -> Bool {
    hasBlank(range) && holdsTimeOfDay(from: range.lowerBound, to: range.upperBound)
  }
}
