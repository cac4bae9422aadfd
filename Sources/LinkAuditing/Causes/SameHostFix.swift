public import UniversalLinks

/// A page whose links stay on its host, and the two ways to let them open the app.
public struct SameHostFix: Hashable, Sendable {
  public var host: String

  /// The path group of the page with the links.
  public var page: String

  /// The verdict of most of the requests for that page, or `nil` if the logs have none.
  public var pageVerdict: Verdict?

  /// The path group of the claimed page that most visits went to.
  public var destination: String

  /// The visits from the page to all claimed pages of the host.
  public var visits: Int

  /// A URL of the destination, or `nil` if there is no sample.
  public var example: String?

  /// A Boolean value indicating whether Safari shows a smart app banner on the page: only on pages
  /// that the app claims.
  public var showsBanner: Bool { pageVerdict == .claimed }

  /// The visits that a smart app banner on the page can win.
  public var bannerVisits: Int { showsBanner ? visits : 0 }

  /// The smart app banner's tag for the page, with a placeholder for the app's number in the App
  /// Store.
  public var banner: String? {
    example.map { url in
      // A comma separates the tag's arguments.
      let argument = url.flatMap { character in
        switch character {
        case "&": "&amp;"
        case "\"": "%22"
        case "<": "%3C"
        case ",": "%2C"
        default: String(character)
        }
      }
      return
        "<meta name=\"apple-itunes-app\" content=\"app-id=APP_STORE_ID, app-argument=\(String(argument))\">"
    }
  }

  public var secondHost: String {
    let bare =
      host.hasPrefix("www.") || host.hasPrefix("*.")
      ? String(host.drop { $0 != "." }.dropFirst()) : host
    return (bare.hasPrefix("open.") ? "links." : "open.") + bare
  }

  /// The entry of the app's associated domains entitlement for the second host.
  public var entitlement: String { "applinks:\(secondHost)" }

  public var secondHostExample: String? {
    example.map { url in
      let path = url.dropFirst("https://".count).drop { $0 != "/" }
      return "https://\(secondHost)\(path)"
    }
  }
}

extension SiteAssembly {
  /// The pages with links to claimed pages of the same host, those with the most visits first.
  func sameHostFixes(_ pairs: [PagePair]) -> [SameHostFix] {
    var verdicts: [String: [Verdict: Int]] = [:]
    var samples: [String: [SampleStore.Sample]] = [:]
    for path in paths {
      verdicts[path.group, default: [:]][path.key.verdict, default: 0] += path.traffic.requests
      if path.key.verdict == .claimed { samples[path.group, default: []] += path.samples }
    }
    let host = site.site.exampleHost
    return pairs.grouped(by: \.from).map { page, pairs in
      // Pairs are the heaviest first, so the first one has the main destination.
      let destination = pairs[0].to
      let example = SampleStore.Sample.encodedBest(samples[destination] ?? []).first
      return SameHostFix(
        host: site.site.host, page: page, pageVerdict: verdicts[page]?.mostFrequent,
        destination: destination,
        visits: pairs.reduce(0) { $0 + $1.visits }, example: example.map { "https://\(host)\($0)" })
    }.sorted {
      $0.visits == $1.visits ? $0.page < $1.page : $0.visits > $1.visits
    }
  }
}
