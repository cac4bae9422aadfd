/// The settings in `linkaudit.yml`; those that it leaves out are `nil` or empty.
///
/// The command line wins over it, key by key.
struct Configuration {
  /// An association file and the hosts that it belongs to.
  struct Site {
    /// Names such as `www.example.com`, or `*.example.com` for all hosts below.
    var hosts: [String] = []

    /// The path of the association file.
    var associationFile = ""

    /// The paths of files with routes.
    var routes: [String] = []

    /// The syntax of the routes, or `nil` to detect it from the files.
    var routeSyntax: String?

    /// The apps that count; all that the file names if empty.
    var apps: [String] = []
  }

  /// The fields of requests whose keys in JSON can be named, as options and configurations have
  /// them.
  static let jsonFields = [
    "target", "query", "request", "method", "status", "host", "referrer", "user-agent", "time",
  ]

  /// The path of the configuration.
  var path: String

  /// The keys that it has, such as `logs.since`.
  var keys: Set<String> = []

  var sites: [Site] = []

  /// Other hosts of the sites' owner.
  var ownHosts: [String] = []

  /// Hosts that redirect to the sites.
  var trackers: [String] = []

  /// Paths to which login services send browsers back.
  var callbackPaths: [String] = []

  /// Files, directories, and patterns of files.
  var logs: [String] = []

  var logFormat: String?
  var jsonKeys: [(field: String, key: String)] = []
  var hostFromPath: String?
  var isHostConfirmed = false
  var since: String?
  var until: String?
  var maxRejects: Double?
  var maxExpansion: Int?
  var maxWindow: String?

  /// Paths whose requests don't count.
  var ignoredPaths: [String] = []

  /// The extensions of paths that aren't pages, or `nil` for the default ones.
  var assetExtensions: [String]?

  var format: String?
  var output: String?
  var outputDirectory: String?
  var table: String?
  var top: Int?
  var isFull = false
  var fanOut: Int?
  var group: String?
  var weight: String?

  /// The thresholds of findings, as the option has them.
  var thresholds: [String] = []
  var failOn: String?
  var rejects: String?

  /// The file of findings that are accepted.
  var baseline: String?

  /// The directory of the store.
  var store: String?

  var jobs: Int?
  var memory: String?
  var temporaryDirectory: String?
}
