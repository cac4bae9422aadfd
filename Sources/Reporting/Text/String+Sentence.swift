extension String {
  /// This text with a full stop, unless it ends as a sentence already.
  package var endedAsSentence: String {
    hasSuffix("?") || hasSuffix(".") ? self : self + "."
  }
}
