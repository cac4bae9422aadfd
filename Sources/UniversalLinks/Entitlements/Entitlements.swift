/// The associated domains and identifiers in an app's entitlements.
///
///     let entitlements = Entitlements(domains: ["applinks:www.example.com"])
///     let site = Entitlements.Site(host: "www.example.com", file: file, name: "aasa.json")
///     for diagnostic in entitlements.lint(against: [site]) { print(diagnostic.message) }
public struct Entitlements: Hashable, Sendable {
  /// An association file with the host that serves it.
  public struct Site: Hashable, Sendable {
    /// The host in lower case, or `nil` if it isn't known; `*.example.com` stands for all
    /// hosts below.
    public var host: String?

    /// The file, or `nil` if it can't be read.
    public var file: AssociationFile?

    /// The name of the file for people.
    public var name: String

    /// Creates a site.
    public init(host: String?, file: AssociationFile?, name: String) {
      self.host = host
      self.file = file
      self.name = name
    }
  }

  /// The values of `com.apple.developer.associated-domains`, or `nil` if there is no such
  /// array.
  public var domains: [String]?

  /// The app's identifier, or `nil` if the file has none.
  ///
  /// It may begin with a build setting such as `$(AppIdentifierPrefix)`.
  public var app: String?

  /// Creates entitlements.
  public init(domains: [String]?, app: String? = nil) {
    self.domains = domains
    self.app = app
  }

  /// Finds the mistakes in the entitlements, alone and against association files.
  ///
  /// - Parameters:
  ///   - sites: The hosts that are audited.
  ///   - text: The file that the entitlements were read from, if people can read it; places are
  ///     looked up there.
  /// - Returns: The mistakes, in the order of the text.
  public func lint(against sites: [Site], text: [UInt8] = []) -> [LintDiagnostic] {
    var context = LintContext(text, options: LintOptions())
    EntitlementsCheck.check(self, sites: sites, in: &context)
    return context.orderedDiagnostics
  }
}
