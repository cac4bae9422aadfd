internal import AccessLogs
internal import Foundations

/// The features of universal links that a client's system lacks because of its age
/// (Matching.md, 4.3).
public enum SystemAge: UInt8, BitwiseCopyable, CaseIterable, Hashable, Sendable {
  /// The system has all of them, or doesn't name its version.
  case current

  /// iOS 8 and macOS 10.14 and earlier, which have no universal links.
  case beforeUniversalLinks

  /// iOS 13.0 to 13.4, which don't support `caseSensitive` and variables.
  case before13Point5

  /// iOS 13.5 to 13.7, which don't support `percentEncoded` and `defaults`.
  case before14

  /// The name in reports.
  public var name: String { String(describing: self) }

  /// The age of a version of iOS.
  init(ios version: SystemVersion) {
    switch version.major {
    case ...8: self = .beforeUniversalLinks
    case 13: self = version.minor.map { $0 < 5 } ?? false ? .before13Point5 : .before14
    default: self = .current
    }
  }

  /// The age of the version of macOS in the user agent of Safari, which names 10.15 at most.
  init(mac agent: Span<UInt8>) {
    let word: StaticString = "Mac OS X 10"
    if let start = agent.position(of: word),
      let minor = SystemVersion.number(in: agent, after: start + word.utf8CodeUnitCount), minor < 15
    {
      self = .beforeUniversalLinks
    } else {
      self = .current
    }
  }
}
