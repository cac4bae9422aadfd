/// The mistakes in an app's associated domains, alone and against association files.
public struct EntitlementsLint: Sendable {
  /// An association file with the host that serves it.
  public struct Site: Sendable {
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

  /// The associated domains and identifiers in an app's entitlements.
  public struct Entitlements: Sendable {
    /// The values of `com.apple.developer.associated-domains`, or `nil` if there is no such
    /// array.
    public var domains: [String]?

    /// The app's identifier, which may begin with a build setting such as
    /// `$(AppIdentifierPrefix)`, or `nil` if it isn't said.
    public var app: String?

    /// Creates entitlements.
    public init(domains: [String]?, app: String? = nil) {
      self.domains = domains
      self.app = app
    }
  }

  /// The mistakes, in the order of the text.
  public private(set) var diagnostics: [LintDiagnostic]

  /// Looks for mistakes.
  ///
  /// - Parameters:
  ///   - entitlements: What the entitlements say.
  ///   - text: The file that they were read from, if people can read it; places are looked up
  ///     there.
  ///   - sites: The hosts that are audited.
  public init(_ entitlements: Entitlements, text: [UInt8], sites: [Site]) {
    var context = LintContext(text, options: LintOptions())
    EntitlementsCheck.check(entitlements, sites: sites, in: &context)
    diagnostics = context.orderedDiagnostics
  }
}
