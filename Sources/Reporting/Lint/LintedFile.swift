package import UniversalLinks

/// A file and the mistakes that were found in it.
package struct LintedFile {
  /// The path, `-` for standard input.
  var path: String

  /// The hosts that it belongs to, if they are known.
  var hosts: [String] = []

  /// The text in which positions count; empty if people can't read it.
  var text: [UInt8]

  /// Whether the text is the signed content of the file.
  var isSigned = false

  package var diagnostics: [LintDiagnostic]

  /// The diagnostics that no baseline has.
  package var newDiagnostics: [LintDiagnostic] { diagnostics.filter { $0.isKnown != true } }

  /// The number of diagnostics that a baseline has.
  var knownCount: Int { diagnostics.count - newDiagnostics.count }

  var rules: [RuleReachability.Rule] = []

  package init(
    path: String, hosts: [String] = [], text: [UInt8], isSigned: Bool = false,
    diagnostics: [LintDiagnostic], rules: [RuleReachability.Rule] = []
  ) {
    self.path = path
    self.hosts = hosts
    self.text = text
    self.isSigned = isSigned
    self.diagnostics = diagnostics
    self.rules = rules
  }
}
