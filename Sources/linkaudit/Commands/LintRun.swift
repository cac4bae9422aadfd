internal import FoundationSubset
internal import Reporting
internal import UniversalLinks

/// Files that are checked together.
struct LintRun {
  let minimumRelease: SystemRelease?

  /// The identifier of the app that has the entitlements, if it was given.
  let app: String?

  /// The kinds of fixes to apply; none by default.
  var fixes: Set<LintFix.Applicability> = []

  var files: [LintedFile] = []

  /// The files with fixes, before and after.
  private(set) var fixedFiles: [(path: String, old: [UInt8], new: [UInt8], count: Int)] = []

  /// Whether a file could not be read.
  private(set) var isIncomplete = false

  private var sites: [Entitlements.Site] = []

  init(minimumRelease: SystemRelease?, app: String?) {
    (self.minimumRelease, self.app) = (minimumRelease, app)
  }

  /// The most severe of all mistakes that no baseline has.
  var severity: Severity? { files.flatMap(\.newDiagnostics).map(\.severity).max() }

  /// Checks an association file that some hosts serve.
  mutating func addFile(_ path: String, hosts: [String]) {
    guard let bytes = read(path, "the association file") else { return }
    let isAssociationFile = (try? AssociationFile(decoding: bytes))?.hasUniversalLinks ?? false
    if !isAssociationFile, let complaint = LogRecognition.complaint(about: bytes, path: path) {
      isIncomplete = true
      warn("\(complaint)")
      return
    }
    // If the host matters, any of them is sufficient.
    let host = hosts.first { !$0.hasPrefix("*") }
    let options = LintOptions(host: host, minimumRelease: minimumRelease)
    let result: LintResult
    if fixes.isEmpty {
      result = AssociationFile.lint(bytes, options: options)
    } else {
      let fixed = AssociationFile.fix(bytes, options: options, fixes)
      result = fixed.result
      if result.isSigned {
        isIncomplete = true
        warn(
          "'\(path)' is signed, and a change would make the signature invalid; fix the JSON from "
            + "which it was made, or serve that without a signature")
      } else {
        fixedFiles.append((path, bytes, fixed.bytes, fixed.applied.count))
      }
    }
    let known = hosts.isEmpty ? [nil] : hosts.map { Optional($0) }
    sites += known.map { Entitlements.Site(host: $0, file: result.file, name: path) }
    files.append(
      LintedFile(
        path: path, hosts: hosts, text: result.text, encoded: result.encoded,
        isSigned: result.isSigned,
        diagnostics: result.diagnostics, rules: result.rules))
  }

  /// Checks the entitlements of an app against the association files that were checked.
  mutating func addEntitlements(_ path: String) {
    guard let bytes = read(path, "the entitlements") else { return }
    // Foundation parses nested values without a limit, and in the binary format, a few bytes can
    // represent a long text many times.
    let isText = !bytes.starts(with: Array("bplist".utf8))
    // Without zero bytes, UTF-16 has the tags of ASCII.
    let levels = String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self)
      .matches(of: /<(?:array|dict|plist)/)
    guard levels.count <= Self.levelLimit, isText || bytes.count <= Self.binaryLimit,
      let list = try? PropertyListDecoder().decode(EntitlementsList.self, from: Data(bytes))
    else {
      isIncomplete = true
      warn(
        "the entitlements '\(path)' are not a valid property list; pass the file of Xcode that ends "
          + "with '.entitlements'")
      return
    }
    let entitlements = Entitlements(domains: list.domains, app: app ?? list.app)
    let text = isText ? bytes : []
    files.append(
      LintedFile(
        path: path, text: text, diagnostics: entitlements.lint(against: sites, text: text)))
  }

  /// The greatest number of bytes of a binary property list that is read; entitlements have some
  /// hundred.
  private static let binaryLimit = 1 << 16

  /// The greatest number of values with others in them; entitlements need three levels.
  private static let levelLimit = 100

  private mutating func read(_ path: String, _ what: String) -> [UInt8]? {
    do {
      return try InputFile.read(path, what: what)
    } catch {
      isIncomplete = true
      warn("\(error)")
      return nil
    }
  }
}

/// The keys of entitlements that matter here.
private struct EntitlementsList: Decodable {
  var domains: [String]?
  var app: String?

  private enum CodingKeys: String, CodingKey {
    case domains = "com.apple.developer.associated-domains"
    case app = "application-identifier"
    case macApp = "com.apple.application-identifier"
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    // A value of another type is as good as none.
    domains = try? values.decodeIfPresent([String].self, forKey: .domains)
    app =
      (try? values.decodeIfPresent(String.self, forKey: .app))
      ?? (try? values.decodeIfPresent(String.self, forKey: .macApp))
  }
}
