internal import Foundations

/// The text around a field of a pattern, which restricts the bytes of the field.
///
/// Fields such as lists of addresses contain delimiters, so the next fields can be read at the
/// wrong place. A misplaced field must be rejected: a client, a user or a cookie must not become a
/// target.
struct FieldBounds: Sendable {
  private let isQuoted: Bool

  /// The first byte after the field, or `nil` at the end of the line and before another field.
  private let delimiter: UInt8?
  private let hostsMayHoldDelimiter: Bool

  /// The byte that the field can't hold because it separates it from a user agent before it, or
  /// `nil` if there is none.
  ///
  /// User agents without quotation marks hold blanks and semicolons, so the next fields don't, and
  /// the agent takes everything else.
  private let agentSeparator: UInt8?

  /// Whether a user agent before the field ends only where it does.
  var followsBareAgent: Bool { agentSeparator != nil }

  /// Whether the field is a user agent that ends where the words after it begin, so only the rest
  /// of the line shows its end.
  let isAgentBeforeWords: Bool
  private let fieldsInFront: Int

  init(of index: Int, in template: LineTemplate) {
    let quote = UInt8(ascii: "\"")
    delimiter = template.text(index + 1)?.first
    hostsMayHoldDelimiter =
      delimiter.map { $0.isInHostLabel || ".:[".utf8.contains($0) } ?? true
    isQuoted = template.text(index - 1)?.last == quote && delimiter == quote
    agentSeparator = Self.agentSeparator(before: index, in: template)
    isAgentBeforeWords =
      template.elements[index] == .field(.agent) && index + 2 < template.elements.count
      && Self.agentSeparator(before: index + 2, in: template) != nil
    fieldsInFront = template.elements[..<index].count { element in
      if case .field = element { true } else { false }
    }
  }

  /// Returns the byte between a user agent without quotation marks and a field after it, if the same
  /// byte separates all fields between them.
  private static func agentSeparator(before index: Int, in template: LineTemplate) -> UInt8? {
    guard let agent = template.elements[..<index].lastIndex(of: .field(.agent)),
      let text = template.text(agent + 1), text.count == 1, let separator = text.first,
      !"\"])}>".utf8.contains(separator)
    else { return nil }
    let isUniform = template.elements[(agent + 1)..<index].allSatisfy { element in
      switch element {
      // A dash can be between blanks.
      case .text(let range):
        template.texts[range].first == separator && template.texts[range].last == separator
      case .field: true
      default: false
      }
    }
    return isUniform ? separator : nil
  }

  @inline(__always)
  func allow(_ field: LogField?, _ line: Span<UInt8>, _ range: Range<Int>) -> Bool {
    switch field {
    case .status: return line.isAbsent(range) || line.extracting(range).status != nil
    case .target: return isQuoted || line.isAbsent(range) || allowsTarget(line, range)
    case .host: return !line.hasBlank(range) && (isQuoted || allowsHost(line, range))
    case .method: return isQuoted || line.isAbsent(range) || line.isWord(range)
    case .request:
      return isQuoted || line.isAbsent(range) || line.beginsRequest(range)
    // A list continues after its comma.
    case nil: return isQuoted || !endsInList(line, range) && leavesAgent(line, range)
    case .referrer:
      return leavesAgent(line, range)
        || agentSeparator != UInt8(ascii: " ") && line.extracting(range).beginsAsURL
    case .agent:
      guard leavesAgent(line, range) else { return false }
      // Parentheses in it are closed later.
      return isQuoted || delimiter?.isBlank ?? true
        || !line.extracting(range).endsInParentheses
        || line.firstIndex(of: UInt8(ascii: ")"), from: range.upperBound) == nil
    default: return leavesAgent(line, range)
    }
  }

  /// Returns whether a part of a line can't belong to a user agent before it: it is one word, or a
  /// list with commas.
  private func leavesAgent(_ line: Span<UInt8>, _ range: Range<Int>) -> Bool {
    guard let agentSeparator else { return true }
    var position = range.lowerBound
    while let found = line.firstIndex(of: agentSeparator, from: position, to: range.upperBound) {
      guard agentSeparator == UInt8(ascii: " "), found > range.lowerBound,
        line.byte(found - 1) == UInt8(ascii: ",")
      else { return false }
      position = found + 1
    }
    return true
  }

  /// No host contains the byte after it, unless hosts can contain that byte.
  private func allowsHost(_ line: Span<UInt8>, _ range: Range<Int>) -> Bool {
    guard let delimiter, !hostsMayHoldDelimiter else { return true }
    return line.firstIndex(of: delimiter, from: range.lowerBound, to: range.upperBound) == nil
  }

  private func endsInList(_ line: Span<UInt8>, _ range: Range<Int>) -> Bool {
    delimiter == UInt8(ascii: " ") && !range.isEmpty
      && line.byte(range.upperBound - 1) == UInt8(ascii: ",")
  }

  private func allowsTarget(_ line: Span<UInt8>, _ range: Range<Int>) -> Bool {
    guard line.beginsTarget(range) else { return false }
    guard let delimiter else { return agentSeparator != UInt8(ascii: " ") || !line.hasBlank(range) }
    if delimiter.isBlank { return !line.hasBlank(range) }
    // Browsers leave some marks unencoded, but a complete line after them shows interleaved lines.
    let limit = max(2, fieldsInFront)
    var (count, position) = (0, range.lowerBound)
    while count < limit,
      let found = line.firstIndex(of: delimiter, from: position, to: range.upperBound)
    {
      (count, position) = (count + 1, found + 1)
    }
    return count == 0
      || count < limit && !line.holdsTimeOfDay(from: range.lowerBound, to: range.upperBound)
  }
}

extension Span<UInt8> {
  fileprivate func isWord(_ range: Range<Int>) -> Bool {
    range.allSatisfy {
      byte($0).isLetter || byte($0) == UInt8(ascii: "-") || byte($0) == UInt8(ascii: "_")
    }
  }

  /// Returns whether a part that isn't empty begins as targets do (RFC 9112, 3.2), or as URLs
  /// without a scheme.
  ///
  /// A URL without a scheme begins with a name that has a full stop, and a slash.
  fileprivate func beginsTarget(_ range: Range<Int>) -> Bool {
    switch byte(range.lowerBound) {
    case UInt8(ascii: "/"), UInt8(ascii: "*"): return true
    default:
      guard
        let slash = firstIndex(of: UInt8(ascii: "/"), from: range.lowerBound, to: range.upperBound)
      else { return false }
      let name = range.lowerBound..<slash
      if name.count > 1, byte(slash - 1) == UInt8(ascii: ":") { return isWord(name.dropLast()) }
      return firstIndex(of: UInt8(ascii: "."), from: name.lowerBound, to: name.upperBound) != nil
        && name.allSatisfy { byte($0).isInHostName }
    }
  }

  /// Returns whether a part that isn't empty begins as a request does.
  ///
  /// It begins with a method and a target, or with the target where another field holds the method.
  fileprivate func beginsRequest(_ range: Range<Int>) -> Bool {
    guard
      let blank = firstIndex(of: UInt8(ascii: " "), from: range.lowerBound, to: range.upperBound)
    else { return isWord(range) || beginsTarget(range) }
    // A semicolon in a user agent has a blank after it.
    guard blank > range.lowerBound else { return false }
    return isWord(range.lowerBound..<blank) || beginsTarget(range.lowerBound..<blank)
  }
}
