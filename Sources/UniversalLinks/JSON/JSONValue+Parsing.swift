extension JSONValue {
  /// Reads a JSON text in UTF-8 as an association file is read.
  ///
  /// - Throws: ``JSONSyntaxError`` for the first byte that is out of place.
  package init(parsing text: [UInt8]) throws(JSONSyntaxError) {
    self = try JSONParser.parse(text)
  }
}
