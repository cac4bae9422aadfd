internal import Dispatch
internal import FoundationSubset
public import LinkAuditing
internal import SwiftASN1
internal import Synchronization

/// A client that requests association files from sites and Apple's CDN.
///
/// It contacts no other servers: it doesn't follow redirects, and ignores proxies of the
/// environment. It sends one request for each copy, and at most one more for the root path of a
/// site. If a certificate is refused, it makes another connection to find out why.
public struct DeliveryClient: Sendable {
  private let settings: DeliverySettings

  /// The maximum number of hosts to query at the same time.
  public static let width = 8
  private let library: CurlLibrary

  /// Creates a client.
  ///
  /// - Throws: ``MissingCurl`` if this machine or this program has no libcurl.
  public init(_ settings: DeliverySettings) throws(MissingCurl) {
    self.settings = settings
    library = try CurlLibrary(including: settings.authorities)
  }

  /// The answers about one host.
  public struct Answers: Sendable {
    /// A copy from each source, in the order of the sources.
    public var copies: [FetchedCopy] = []

    /// The file at the site's root path, if it was requested.
    public var root: FetchedCopy?
  }

  /// Requests the files of hosts, and waits for all answers.
  ///
  /// - Parameters:
  ///   - hosts: Names of hosts, as ``BaseURL/isHostName(_:)`` allows them.
  ///   - sources: The sources of each.
  ///   - now: The time of the fetch.
  /// - Returns: The answers, in the order of the hosts.
  @available(*, noasync)
  public func answers(of hosts: [String], from sources: [DeliverySource], now: HTTPDate)
    -> [Answers]
  {
    struct State {
      var next = 0
      var answers: [Answers]
    }
    let state = Mutex(State(answers: Array(repeating: Answers(), count: hosts.count)))
    let group = DispatchGroup()
    for number in 0..<min(Self.width, hosts.count) {
      // A serial queue has a thread of its own while it waits for the network. A concurrent queue
      // has only as many as the machine has cores.
      DispatchQueue(label: "linkaudit.fetch.\(number)").async(group: group) {
        while true {
          let index = state.withLock { state in
            defer { state.next += 1 }
            return state.next
          }
          guard index < hosts.count else { return }
          let answers = self.answers(of: hosts[index], from: sources, now: now)
          state.withLock { $0.answers[index] = answers }
        }
      }
    }
    group.wait()
    return state.withLock { $0.answers }
  }

  private func answers(of host: String, from sources: [DeliverySource], now: HTTPDate) -> Answers {
    var answers = Answers()
    for source in sources {
      let base = settings.baseURLs[source]
      let copy = library.copy(.wellKnown(source, of: host, base: base), settings)
      answers.copies.append(copy)
      if source == .origin, CopyJudgment(copy, now: now).isElsewhere {
        answers.root = library.copy(.root(of: host, base: base), settings)
      }
    }
    return answers
  }
}

// MARK: - Settings

/// The settings for requests to servers.
public struct DeliverySettings: Sendable {
  /// The time limit for a copy, in seconds, from the look-up of the name to the last byte.
  public var timeout: Double

  /// The user agent of requests.
  public var userAgent: String

  /// The servers that replace the real ones.
  public var baseURLs: [DeliverySource: BaseURL]

  /// The certificates of trusted authorities besides those of the system, in PEM.
  let authorities: [UInt8]

  /// Creates settings.
  ///
  /// - Parameters:
  ///   - timeout: The time limit for a copy, in seconds.
  ///   - userAgent: The user agent of requests.
  ///   - baseURLs: The servers that replace the real ones.
  ///   - authorityFiles: The paths of PEM files with certificates of authorities.
  /// - Throws: ``UnreadableAuthorities`` if one of the files cannot be read or has no certificate.
  public init(
    timeout: Double, userAgent: String, baseURLs: [DeliverySource: BaseURL],
    authorityFiles: [String]
  ) throws(UnreadableAuthorities) {
    (self.timeout, self.userAgent, self.baseURLs) = (timeout, userAgent, baseURLs)
    var authorities: [UInt8] = []
    for path in authorityFiles {
      do {
        let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        let documents = try PEMDocument.parseMultiple(pemString: text)
          .filter { $0.discriminator.hasSuffix("CERTIFICATE") }
        guard !documents.isEmpty else { throw UnreadableAuthorities(path: path) }
        for document in documents {
          _ = try DER.parse(document.derBytes)
          authorities += Array(document.pemString.utf8) + [0x0A]
        }
      } catch {
        throw UnreadableAuthorities(path: path)
      }
    }
    self.authorities = authorities
  }
}

/// A file without certificates of authorities, or an unreadable one.
public struct UnreadableAuthorities: Error, Hashable {
  /// The path of the file.
  public var path: String
}
