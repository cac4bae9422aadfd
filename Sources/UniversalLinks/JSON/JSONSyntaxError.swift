/// An error in the syntax of a JSON text (RFC 8259).
public struct JSONSyntaxError: Error, Hashable {
  /// What is wrong with a JSON text.
  public enum Problem: Hashable, Sendable {
    case byteOrderMark
    case emptyText
    case unexpected(found: Unicode.Scalar)
    case unexpectedEnd
    case textAfterValue
    case trailingComma
    case missingComma
    case missingColon
    case nameIsNotString
    case controlCharacterInString
    case invalidEscape
    case loneSurrogate
    case invalidNumber
    case invalidUTF8
    case comment
    case typographicQuote
    case tooDeep(limit: Int)
  }

  /// What is wrong.
  public var problem: Problem

  /// The offset, in bytes from the start of the text, of the first byte that
  /// can't stand where it does.
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
  public var description: String { "line \(line), column \(column): \(problem.sentence)" }
}

extension JSONSyntaxError.Problem {
  /// The problem in words, without a full stop.
  var sentence: String {
    switch self {
    case .byteOrderMark: "the text begins with a byte order mark, which JSON does not allow"
    case .emptyText: "the text is empty"
    case .unexpected(let scalar): "\(Self.name(of: scalar)) can't stand here"
    case .unexpectedEnd: "the text ends before the value is complete"
    case .textAfterValue: "there is text after the end of the value"
    case .trailingComma: "a comma stands before a closing bracket"
    case .missingComma: "a comma is missing"
    case .missingColon: "a colon is missing after the name"
    case .nameIsNotString: "a name in double quotes is expected"
    case .controlCharacterInString: "a string holds a control character that isn't escaped"
    case .invalidEscape: "the escape sequence is not valid"
    case .loneSurrogate: "the escape names half of a surrogate pair"
    case .invalidNumber: "the number is not valid"
    case .invalidUTF8: "the bytes are not UTF-8"
    case .comment: "JSON has no comments"
    case .typographicQuote: "another kind of quote stands where '\"' is needed"
    case .tooDeep(let limit): "values are nested more than \(limit) deep"
    }
  }

  private static func name(of scalar: Unicode.Scalar) -> String {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned,
      .privateUse:
      "the character U+" + String(scalar.value, radix: 16, uppercase: true).leftPadded(to: 4)
    default:
      "'\(scalar)'"
    }
  }
}

extension String {
  /// This text with zeros in front until it has `length` characters.
  fileprivate func leftPadded(to length: Int) -> String {
    String(repeating: "0", count: Swift.max(0, length - count)) + self
  }
}
