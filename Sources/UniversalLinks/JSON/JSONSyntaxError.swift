/// An error in the syntax of a JSON text (RFC 8259).
public struct JSONSyntaxError: Error, Hashable {
  /// The mistake in a JSON text.
  enum Problem: Hashable, Sendable {
    case emptyText, unexpectedEnd, textAfterValue, missingComma, missingColon, nameIsNotString
    case controlCharacterInString, invalidEscape, loneSurrogate, invalidNumber, invalidUTF8, comment

    /// A character isn't allowed here.
    case unexpected(found: Unicode.Scalar)

    /// Another kind of quote is used where `"` is needed.
    case typographicQuote
    case tooDeep(limit: Int)
  }

  /// The mistake.
  let problem: Problem

  /// The offset, in bytes from the start of the text, of the first byte that isn't allowed.
  public var offset: Int

  /// The line, from 1.
  public var line: Int

  /// The column, in Unicode scalars from the start of the line, from 1.
  public var column: Int

  /// Creates an error at the given offset of `text`.
  init(_ problem: Problem, at offset: Int, in text: [UInt8]) {
    self.problem = problem
    self.offset = offset
    let position = LineIndex(text).position(of: offset, in: text)
    (line, column) = (position.line, position.column)
  }
}

extension JSONSyntaxError: CustomStringConvertible {
  /// The place and the problem, such as `line 3, column 5: …`.
  public var description: String { "line \(line), column \(column): \(problem.sentence)" }
}

extension JSONSyntaxError.Problem {
  /// The problem in words, without a full stop.
  var sentence: String {
    switch self {
    case .emptyText: "the text is empty"
    case .unexpected(let scalar): "unexpected \(Self.name(of: scalar))"
    case .unexpectedEnd: "the text ends before the value is complete"
    case .textAfterValue: "there is text after the end of the value"
    case .missingComma: "a comma is missing"
    case .missingColon: "a colon is missing after the name"
    case .nameIsNotString: "a name in double quotes is expected"
    case .controlCharacterInString: "a string contains a control character that is not escaped"
    case .invalidEscape: "the escape sequence is not valid"
    case .loneSurrogate: "the escape sequence is half of a surrogate pair"
    case .invalidNumber: "the number is not valid"
    case .invalidUTF8: "the bytes are not UTF-8"
    case .comment: "JSON has no comments"
    case .typographicQuote: "the quote must be a straight double quote, '\"'"
    case .tooDeep(let limit): "values are nested more than \(limit) levels deep"
    }
  }

  /// The name of a character for people: itself in quotes if it can be seen.
  static func name(of scalar: Unicode.Scalar) -> String {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned,
      .privateUse,
      .spaceSeparator where scalar != " ":
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "character U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    default: return "'\(scalar)'"
    }
  }
}
