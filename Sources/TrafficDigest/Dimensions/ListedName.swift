/// A client or a site that is known by name.
struct ListedName: Sendable {
  /// A publication that has words of a client or hosts of a site.
  enum Source: Sendable {
    // Lists of user agents.
    case crawlerUserAgents, deviceDetector, fakeUserAgent

    /// Matomo's list of search engines and social networks.
    case matomo

    /// MailTrackerBlocker's list of mail trackers.
    case mailTrackers

    /// A list of link shorteners, `url-shorteners`.
    case shorteners

    /// The address of a page of the client's or site's maker.
    case page(StaticString)
  }

  var name: String

  /// The words that only the client's user agents have, or the site's hosts.
  var words: [String]

  /// The publications that have at least one of these words.
  var sources: [Source]

  init(_ name: String, _ words: String..., from sources: Source...) {
    (self.name, self.words, self.sources) = (name, words, sources)
  }
}
