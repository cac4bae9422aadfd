internal import TrafficDigest
internal import UniversalLinks

/// What Apple's fetchers got is larger than systems read.
enum FileServedTooLarge: SiteFindingKind {
  static let code = Finding.Code.fileServedTooLarge
  static let title = "Apple was served a file that is too large"
  static let condition =
    "the log has more than 131,072 bytes for a good fetch of the association file by Apple"
  static let meaning =
    "No system reads a larger file, so on devices it does not exist. Logs have the size as it "
    + "was sent: where that is compressed, the file is larger still; some count headers, a few "
    + "hundred bytes, too."
  static let remedy =
    "Look at what is really served at '/.well-known/apple-app-site-association', which may be "
    + "another file or an error page with status 200, and shorten it."
  static let severity = FindingSeverity.fixed(
    .error, except: "`warning` if it was smaller on the last day with a good fetch")

  static func findings(in context: SiteFindingContext) -> [Finding] {
    let large = DeliveryFacts(context).apple.filter { fetch in
      fetch.isGood && (fetch.sizes?.upperBound ?? 0) > AssociationFile.sizeLimit
    }
    guard let size = large.compactMap(\.sizes?.upperBound).max() else { return [] }
    let isOver = context.audit.fetchers.filter(\.fetcher.isApple).allSatisfy {
      ($0.lastSize ?? 0) <= AssociationFile.sizeLimit
    }
    let paths = Set(large.map(\.path)).sorted().map { "'\($0)'" }.joined(separator: " and ")
    return [
      finding(
        isOver ? .warning : .error, host: context.audit.host,
        "Apple was served up to \(size.grouped) bytes at \(paths); systems read no file of more than \(AssociationFile.sizeLimit.grouped).\(isOver ? " On the last day with a good fetch it was smaller." : "")"
      )
    ]
  }
}
