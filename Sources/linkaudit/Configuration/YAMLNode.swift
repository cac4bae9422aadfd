// Unsafe code: libyaml's parser and documents are structures that are filled in place.

internal import CYAML

struct YAMLNode {
  enum Content {
    case scalar(String, isPlain: Bool)
    case sequence([YAMLNode])

    /// Keys and values, in the order of the document.
    case mapping([(key: YAMLNode, value: YAMLNode)])
  }

  struct Mark {
    var line: Int
    var column: Int

    fileprivate init(_ mark: yaml_mark_t) {
      (line, column) = (Int(clamping: mark.line) + 1, Int(clamping: mark.column) + 1)
    }
  }

  var content: Content
  var mark: Mark

  var text: String? { if case .scalar(let text, _) = content { text } else { nil } }

  /// The text of a scalar without quotes, which can mean a number or nothing; or `nil`.
  var plainText: String? { if case .scalar(let text, true) = content { text } else { nil } }

  var isEmpty: Bool { plainText.map { ["", "~", "null"].contains($0) } ?? false }
}

struct YAMLError: Error {
  let mistake: String
  let mark: YAMLNode.Mark?
}

extension YAMLNode {
  /// Reads a document in UTF-8, which is `nil` if it is empty.
  static func parse(_ bytes: [UInt8]) throws(YAMLError) -> YAMLNode? {
    var parser = unsafe yaml_parser_t()
    guard unsafe yaml_parser_initialize(&parser) == 1 else {
      throw YAMLError(mistake: "there is not enough memory", mark: nil)
    }
    defer { unsafe yaml_parser_delete(&parser) }
    return try unsafe bytes.withUnsafeBufferPointer { bytes throws(YAMLError) in
      unsafe yaml_parser_set_input_string(&parser, bytes.baseAddress, bytes.count)
      unsafe yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING)
      var first = try unsafe YAMLDocument(&parser)
      defer { unsafe yaml_document_delete(&first.document) }
      let root = try first.root()
      guard root != nil else { return nil }
      var second = try unsafe YAMLDocument(&parser)
      defer { unsafe yaml_document_delete(&second.document) }
      if unsafe yaml_document_get_root_node(&second.document) != nil {
        throw YAMLError(
          mistake: "there is a second document, which begins here",
          mark: Mark(unsafe second.document.start_mark))
      }
      return root
    }
  }
}

/// A document as libyaml has it, in which an alias is another place of its value.
///
/// Its uses are safe: the document outlives the values' reading, and values own their texts.
@safe private struct YAMLDocument {
  var document = unsafe yaml_document_t()

  private var count = 0

  /// The greatest number of levels; a configuration needs five.
  private static let depthLimit = 100

  init(_ parser: inout yaml_parser_t) throws(YAMLError) {
    guard unsafe yaml_parser_load(&parser, &document) == 1 else {
      let problem = unsafe parser.problem.map { unsafe String(cString: $0) } ?? "it can't be read"
      // A character that YAML doesn't allow has an offset alone.
      let isUnread = unsafe parser.error == YAML_READER_ERROR
      throw unsafe isUnread
        ? YAMLError(mistake: "\(problem), at byte \(parser.problem_offset)", mark: nil)
        : YAMLError(mistake: problem, mark: YAMLNode.Mark(parser.problem_mark))
    }
  }

  mutating func root() throws(YAMLError) -> YAMLNode? {
    unsafe yaml_document_get_root_node(&document) == nil ? nil : try node(1, depth: 0)
  }

  private mutating func node(_ number: CInt, depth: Int) throws(YAMLError) -> YAMLNode {
    guard let node = unsafe yaml_document_get_node(&document, number) else {
      throw YAMLError(mistake: "it can't be read", mark: nil)
    }
    let mark = YAMLNode.Mark(unsafe node.pointee.start_mark)
    guard depth < Self.depthLimit else {
      throw YAMLError(
        mistake: "values are nested more than \(Self.depthLimit) levels deep", mark: mark)
    }
    // An alias can stand for others, so a few lines could expand to more than fits in memory.
    count += 1
    guard unsafe count <= 1_000 + 2 * (document.nodes.top - document.nodes.start) else {
      throw YAMLError(
        mistake: "aliases, such as '*name', stand for too much; write their values instead",
        mark: mark)
    }
    switch unsafe node.pointee.type {
    case YAML_SEQUENCE_NODE:
      let items = unsafe node.pointee.data.sequence.items
      let numbers = unsafe Array(
        UnsafeBufferPointer(start: items.start, count: items.top - items.start))
      let elements = try numbers.map { number throws(YAMLError) in
        try self.node(number, depth: depth + 1)
      }
      return YAMLNode(content: .sequence(elements), mark: mark)
    case YAML_MAPPING_NODE:
      let pairs = unsafe node.pointee.data.mapping.pairs
      var (members, names): ([(key: YAMLNode, value: YAMLNode)], Set<String>) = ([], [])
      let numbers = unsafe Array(
        UnsafeBufferPointer(start: pairs.start, count: pairs.top - pairs.start))
      for pair in numbers {
        let key = try self.node(pair.key, depth: depth + 1)
        if let name = key.text, !names.insert(name).inserted {
          throw YAMLError(mistake: "'\(name)' occurs twice", mark: key.mark)
        }
        members.append((key, try self.node(pair.value, depth: depth + 1)))
      }
      return YAMLNode(content: .mapping(members), mark: mark)
    default:
      let scalar = unsafe node.pointee.data.scalar
      let text = unsafe String(
        decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      let isPlain = unsafe scalar.style == YAML_PLAIN_SCALAR_STYLE
      return YAMLNode(content: .scalar(text, isPlain: isPlain), mark: mark)
    }
  }
}
