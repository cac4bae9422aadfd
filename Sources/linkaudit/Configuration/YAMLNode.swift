internal import CYAML

/// A value of a YAML document, with its place.
struct YAMLNode {
  enum Content {
    /// A text, and whether it stands without quotes.
    case scalar(String, isPlain: Bool)
    case sequence([YAMLNode])

    /// Keys and values, in the order of the document.
    case mapping([(key: YAMLNode, value: YAMLNode)])
  }

  /// A place in a document.
  struct Mark {
    /// The line and the column, from 1.
    var line: Int
    var column: Int

    fileprivate init(_ mark: yaml_mark_t) {
      (line, column) = (Int(clamping: mark.line) + 1, Int(clamping: mark.column) + 1)
    }
  }

  var content: Content
  var mark: Mark

  /// The text of a scalar, or `nil` for another value.
  var text: String? { if case .scalar(let text, _) = content { text } else { nil } }

  /// The text of a scalar without quotes, which can mean a number or nothing; or `nil`.
  var plainText: String? { if case .scalar(let text, true) = content { text } else { nil } }
}

/// A document that isn't YAML, or that expands to too much.
enum YAMLError: Error {
  /// A mistake, and its place if that is known.
  case syntax(String, YAMLNode.Mark?)

  /// More aliases than a document may have.
  case tooManyAliases
}

extension YAMLNode {
  /// Reads a document.
  ///
  /// An alias can represent text with other aliases, so a few lines could expand to more than fits in
  /// memory.
  ///
  /// - Parameters:
  ///   - bytes: The document, in UTF-8.
  ///   - aliasLimit: The greatest number of aliases in it.
  /// - Returns: Its value, or `nil` if it is empty.
  /// - Throws: ``YAMLError``.
  static func parse(_ bytes: [UInt8], aliasLimit: Int) throws(YAMLError) -> YAMLNode? {
    var reader = YAMLReader(aliasLimit: aliasLimit)
    guard unsafe yaml_parser_initialize(&reader.parser) == 1 else {
      throw .syntax("there is not enough memory", nil)
    }
    defer { unsafe yaml_parser_delete(&reader.parser) }
    return try unsafe bytes.withUnsafeBufferPointer { bytes throws(YAMLError) in
      unsafe yaml_parser_set_input_string(&reader.parser, bytes.baseAddress, bytes.count)
      unsafe yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING)
      return try reader.document()
    }
  }
}

/// Makes values of the events of libyaml's parser.
///
/// Its uses are safe: the document outlives the parser's calls, and values own their texts.
@safe
private struct YAMLReader {
  var parser = unsafe yaml_parser_t()
  private let aliasLimit: Int
  private var aliasCount = 0

  /// The values with anchors, by name.
  private var anchors: [String: YAMLNode] = [:]

  /// The greatest number of levels; a configuration needs five.
  private static let depthLimit = 100

  init(aliasLimit: Int) { self.aliasLimit = aliasLimit }

  /// An event, with what a value is made of.
  private struct Event {
    enum Kind {
      case scalar(String, isPlain: Bool), alias(String), sequence, mapping

      /// The end of a sequence or of a mapping.
      case end
      case startOfDocument, endOfStream

      /// A start or an end that says nothing.
      case other
    }

    var kind: Kind
    var anchor: String?
    var mark: YAMLNode.Mark
  }

  mutating func document() throws(YAMLError) -> YAMLNode? {
    var root: YAMLNode?
    while true {
      let event = try next()
      switch event.kind {
      case .endOfStream: return root
      case .startOfDocument where root != nil:
        throw .syntax("there is a second document, which begins here", event.mark)
      default: if let node = try value(event, depth: 0) { root = node }
      }
    }
  }

  /// The value that begins with an event, or `nil` if none does.
  private mutating func value(_ event: Event, depth: Int) throws(YAMLError) -> YAMLNode? {
    guard depth < Self.depthLimit else {
      throw .syntax("values are nested more than \(Self.depthLimit) levels deep", event.mark)
    }
    let content: YAMLNode.Content
    switch event.kind {
    case .end, .startOfDocument, .endOfStream, .other: return nil
    case .alias(let name):
      aliasCount += 1
      guard aliasCount <= aliasLimit else { throw .tooManyAliases }
      guard let node = anchors[name] else {
        throw .syntax("there is no value with the anchor '&\(name)' before this alias", event.mark)
      }
      return node
    case .scalar(let text, let isPlain): content = .scalar(text, isPlain: isPlain)
    case .sequence:
      var elements: [YAMLNode] = []
      while let element = try value(try next(), depth: depth + 1) { elements.append(element) }
      content = .sequence(elements)
    case .mapping:
      var (members, names): ([(key: YAMLNode, value: YAMLNode)], Set<String>) = ([], [])
      while let key = try value(try next(), depth: depth + 1) {
        if let name = key.text, !names.insert(name).inserted {
          throw .syntax("'\(name)' occurs twice", key.mark)
        }
        guard let value = try value(try next(), depth: depth + 1) else { break }
        members.append((key, value))
      }
      content = .mapping(members)
    }
    let node = YAMLNode(content: content, mark: event.mark)
    if let anchor = event.anchor { anchors[anchor] = node }
    return node
  }

  private mutating func next() throws(YAMLError) -> Event {
    var event = unsafe yaml_event_t()
    guard unsafe yaml_parser_parse(&parser, &event) == 1 else { throw error }
    defer { unsafe yaml_event_delete(&event) }
    var result = Event(kind: .other, mark: YAMLNode.Mark(unsafe event.start_mark))
    switch unsafe event.type {
    case YAML_SCALAR_EVENT:
      let scalar = unsafe event.data.scalar
      let text = unsafe String(
        decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      result.kind = .scalar(text, isPlain: unsafe scalar.style == YAML_PLAIN_SCALAR_STYLE)
      result.anchor = unsafe Self.text(scalar.anchor)
    case YAML_ALIAS_EVENT: result.kind = .alias(unsafe Self.text(event.data.alias.anchor) ?? "")
    case YAML_SEQUENCE_START_EVENT:
      result.kind = .sequence
      result.anchor = unsafe Self.text(event.data.sequence_start.anchor)
    case YAML_MAPPING_START_EVENT:
      result.kind = .mapping
      result.anchor = unsafe Self.text(event.data.mapping_start.anchor)
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: result.kind = .end
    case YAML_STREAM_END_EVENT, YAML_NO_EVENT: result.kind = .endOfStream
    case YAML_DOCUMENT_START_EVENT: result.kind = .startOfDocument
    default: break
    }
    return result
  }

  /// The text at an address, up to its zero byte.
  private static func text(_ start: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    unsafe start.map { unsafe String(cString: $0) }
  }

  /// The mistake at which the parser stopped.
  private var error: YAMLError {
    let problem = unsafe parser.problem.map { unsafe String(cString: $0) } ?? "it can't be read"
    // A character that YAML doesn't allow has an offset alone.
    return unsafe parser.error == YAML_READER_ERROR
      ? .syntax("\(problem), at byte \(unsafe parser.problem_offset)", nil)
      : .syntax(problem, YAMLNode.Mark(unsafe parser.problem_mark))
  }
}
