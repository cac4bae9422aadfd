/// The checks of a file that depend on more than its text.
public struct LintOptions: Sendable {
  /// The host that the file belongs to, in lower case, or `nil` if it isn't known.
  public var host: String?

  /// The first release that the app runs on, or `nil` to report no features of later releases.
  public var minimumRelease: SystemRelease?

  /// A Boolean value indicating whether to prove which rules can decide.
  ///
  /// That takes up to a second for hostile files.
  public var provesRules = true

  /// Creates options, by default for everything that doesn't depend on host and systems.
  public init(
    host: String? = nil, minimumRelease: SystemRelease? = nil, provesRules: Bool = true
  ) {
    self.host = host
    self.minimumRelease = minimumRelease
    self.provesRules = provesRules
  }
}
