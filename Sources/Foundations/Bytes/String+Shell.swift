extension String {
  /// Returns the text as a word of a shell's command line.
  ///
  /// - Parameter isQuoted: Whether the command is inside single quotes, as in messages. The word then
  ///   has none, so that neither the command nor the quotation runs any part of it.
  /// - Returns: The word: as it is if a shell takes it so, else with backslashes, or in quotes.
  package func shellWord(isQuoted: Bool) -> String {
    if !isEmpty, unicodeScalars.allSatisfy(\.isPlainInShell) { return self }
    guard isQuoted else { return "'" + replacing("'", with: #"'\''"#) + "'" }
    var word = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if !scalar.isPlainInShell { word.append("\\") }
      word.append(scalar)
    }
    return String(word)
  }

  /// The text as a word of a command in a message, which puts commands in single quotes.
  package var inCommand: String { shellWord(isQuoted: true) }
}

extension Unicode.Scalar {
  /// A Boolean value indicating whether a shell takes the scalar for itself anywhere in a word.
  fileprivate var isPlainInShell: Bool {
    switch self {
    case "-", "_", ".", "/", ":", ",", "=", "@", "%", "+": true
    default: properties.isAlphabetic || ("0"..."9").contains(self)
    }
  }
}
