internal import AccessLogs
internal import ArgumentParser
internal import LinkAuditing
internal import Reporting
internal import TrafficDigest

/// The options about lines that aren't requests.
struct RejectOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write rejected lines to this file, after their path, number, byte offset and reason, separated by tabs. Only the owner can read a new file, because lines contain client addresses.",
      valueName: "file"),
    completion: .file())
  var rejects: String?

  @Option(
    help: ArgumentHelp(
      "Exit with status 2 if more than this percentage of the lines is rejected. Headings don't count.",
      valueName: "percent"))
  var maxRejects: Double?

  func validate() throws {
    if let maxRejects, !(0...100).contains(maxRejects) {
      throw ValidationError("'--max-rejects' must be from 0 to 100, but it is \(maxRejects).")
    }
    if rejects == "-" {
      throw ValidationError(
        "'--rejects' can't be '-', because the report goes to standard output; pass a file.")
    }
  }

  /// The place of the rejected lines, or `nil` if they are not kept.
  var place: OutputFile.Place? { OutputFile.Place("--rejects", rejects) }

  /// Keeps the rejected lines of a digest.
  func keep(_ digest: TrafficDigest) throws {
    guard let rejects else { return }
    let file = OutputFile(rejects, option: "--rejects", isPrivate: true)
    let isShown = file.isTerminal
    try file.write { sink in
      let tab = isShown ? "  " : "\t"
      func start(_ cells: [String]) -> [UInt8] { Array(cells.joined(separator: tab).utf8) }
      var lines = start(["file", "line", "offset", "reason", "text\n"])
      try digest.forEachRejectedLine { place, line in
        // A name with a tab or a line feed must not look like two columns.
        let path = SafeText.escaped(place.path)
        lines += start(
          [path, String(place.line), String(place.offset), place.reason.rawValue, ""])
        lines +=
          isShown ? Array(SafeText.escaped(String(decoding: line, as: UTF8.self)).utf8) : line
        lines.append(UInt8(ascii: "\n"))
        if lines.count > 1 << 16 {
          try sink(lines)
          lines.removeAll(keepingCapacity: true)
        }
      }
      try sink(lines)
    }
  }

  /// Complains if too many lines aren't requests.
  ///
  /// - Returns: Whether there are too many.
  func exceeds(_ digest: TrafficDigest) -> Bool {
    guard let maxRejects else { return false }
    let headings = digest.rejections[.heading] ?? 0
    let (lines, rejected) = (digest.tally.lines - headings, digest.tally.rejected - headings)
    guard Double(rejected) * 100 > maxRejects * Double(lines) else { return false }
    StandardStreams.complain(
      "\(rejected.grouped) of \(lines.counted("line")) are not requests: "
        + "\(rejected.percent(of: lines)), more than '--max-rejects' allows; "
        + "to see them with their reasons, use '--rejects FILE'")
    return true
  }
}
