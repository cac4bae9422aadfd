/// An object of an association file, and the members that systems know in it (Matching.md, 1 and 2).
///
/// Lint and the JSON Schema for editors are made from these.
package enum FileLevel: String, CaseIterable, Sendable {
  case file = "the file"
  case links = "'applinks'"
  case entry = "an entry of 'details'"
  case component = "a component"
  case defaults = "'defaults'"
  case service = "a service"

  /// The values that a member takes.
  package indirect enum Value: Sendable {
    case boolean
    case integer
    case string
    case array(Value)

    /// An object with the members of a level.
    case object(FileLevel)

    /// An object with any names, whose values are of one kind.
    case dictionary(Value)
    case either([Value])
    case anything
  }

  /// A member: its name, whose letter case matters, the values that it takes, and its meaning, for
  /// people.
  package typealias Member = (name: String, value: Value, about: String)

  /// The members that systems know.
  package var members: [Member] { Self.members[self == .defaults ? .component : self] ?? [] }

  var names: [String] { members.map(\.name) }

  /// The names under which files have remarks for people, in any letter case.
  package static let remarks = ["comment", "comments", "_comment", "$schema"]

  private static let members: [FileLevel: [Member]] = [
    .file: [
      ("applinks", .object(.links), "Universal links: which URLs open which app."),
      ("webcredentials", .object(.service), "The apps that share saved passwords with the site."),
      ("appclips", .object(.service), "The app clips of the site."),
      (
        "activitycontinuation", .object(.service),
        "The apps that take over from the site (Handoff)."
      ),
      ("messagefilter", .object(.service), "The apps that filter messages."),
    ],
    .links: [
      (
        "details", .either([.array(.object(.entry)), .dictionary(.object(.entry))]),
        "The apps with their rules. Only the first entry of an app counts. (An object with apps as names is the oldest notation.)"
      ),
      ("apps", .array(.anything), "An empty array, which only iOS 12 and earlier may need."),
      ("defaults", .object(.defaults), "Default members of the rules of all apps (iOS 14)."),
      (
        "substitutionVariables", .dictionary(.either([.array(.string), .string])),
        "Variables for patterns: '$(name)' matches any of the values (iOS 13.5)."
      ),
    ],
    .entry: [
      (
        "appIDs", .array(.string),
        "The apps, each as team prefix and bundle identifier: 'A1B2C3D4E5.com.example.app' (iOS 13)."
      ),
      (
        "appID", .string,
        "The app, as team prefix and bundle identifier. iOS 12 and earlier read only this. Later systems read it only if there are no 'appIDs'."
      ),
      (
        "components", .array(.object(.component)),
        "The rules in order. The first rule that matches a URL decides (iOS 13). Without 'components' and 'paths', every URL opens the app."
      ),
      (
        "paths", .array(.string),
        "The rules for paths, in order. 'NOT ' before a path excludes it. If there are 'components', only iOS 12 and earlier read 'paths'."
      ),
      ("defaults", .object(.defaults), "Default members of the rules of this entry (iOS 14)."),
      (
        "relativeOrder", .integer,
        "The order among apps that claim the same URL, from -100 to 100. Apple does not document it."
      ),
    ],
    .component: [
      (
        "/", .string,
        "The pattern of the path: '*' matches any text, '?' any one character, and '$(name)' is a variable. '/buy/*' matches /buy and all paths below it."
      ),
      (
        "?", .either([.string, .dictionary(.string)]),
        "The pattern of the query, or patterns of its items by name. A missing item counts as empty text."
      ),
      ("#", .string, "The pattern of the fragment."),
      ("exclude", .boolean, "Whether URLs that match do not open the app. (default: false)"),
      ("caseSensitive", .boolean, "Whether letter case matters (iOS 13.5). (default: true)"),
      (
        "percentEncoded", .boolean,
        "Whether patterns are compared with the percent-encoded URL (iOS 14). (default: true)"
      ),
      (
        "requiredEntitlement", .anything,
        "Prevents the rule from matching for ordinary apps. Apple does not document it."
      ),
    ],
    .service: [
      ("apps", .array(.string), "The apps, each as team prefix and bundle identifier.")
    ],
  ]
}
