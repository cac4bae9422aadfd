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

  /// Returns a Boolean value indicating whether a time of day, as `10:00:01`, is between two
  /// positions.
  func holdsTimeOfDay(from start: Int, to end: Int) -> Bool {
    func hasDigits(_ position: Int) -> Bool {
      byte(position).isDigit && byte(position + 1).isDigit
    }
    var position = start
    while let colon = firstIndex(of: UInt8(ascii: ":"), from: position, to: end) {
      position = colon + 1
      if colon > start, end - colon > 5, byte(colon + 3) == UInt8(ascii: ":"),
        byte(colon - 1).isDigit, hasDigits(colon + 1), hasDigits(colon + 4)
      {
        return true
      }
    }
    return false
  }

  /// A Boolean value indicating whether these bytes begin with ten digits and a full stop or a
  /// blank.
  var beginsWithSeconds: Bool {
    guard count > 10, byte(10) == UInt8(ascii: ".") || byte(10).isBlank else { return false }
    return (0..<10).allSatisfy { byte($0).isDigit }
  }

  /// Returns a Boolean value indicating whether a word other than the first ends as a time in
  /// seconds since 1970 with milliseconds.
  var holdsSecondsSince1970: Bool {
    func areDigits(_ range: Range<Int>) -> Bool { range.allSatisfy { byte($0).isDigit } }
    var position = 14
    while let stop = firstIndex(of: UInt8(ascii: "."), from: position, to: count) {
      position = stop + 1
      if stop + 4 < count, byte(stop + 4).isBlank, areDigits((stop + 1)..<(stop + 4)),
        areDigits((stop - 10)..<stop)
      {
        return true
      }
    }
    return false
  }
}
