internal import Foundations
internal import LinkAuditing
internal import Reporting
internal import SystemPackage

/// Answers the rows of standard input until it ends.
///
/// This is for programs that send some rows and wait for as many answers, such as ClickHouse's
/// executable functions and Spark's pipes. Each row has exactly one answer, in order. All rows that
/// have arrived are answered before it waits for more.
struct MatchStream {
  private let form: StreamForm
  private let workers: [Locked<StreamAnswers>]

  /// The minimum number of bytes of rows for a worker of their own.
  private static let pieceLength = 1 << 15

  /// Creates a stream.
  ///
  /// - Parameters:
  ///   - sites: The sites to search.
  ///   - form: The format of rows and answers.
  ///   - columns: The columns of answers.
  ///   - repeatsRows: Whether each answer follows its row.
  ///   - jobs: The number of workers.
  init(
    sites: [MatchSite], form: StreamForm, columns: [MatchAnswer.Column], repeatsRows: Bool,
    jobs: Int
  ) {
    self.form = form
    workers = (0..<max(1, jobs)).map { _ in
      Locked(StreamAnswers(sites: sites, form: form, columns: columns, repeatsRows: repeatsRows))
    }
  }

  func run() throws {
    var (rows, unread, hasPaths) = (0, 0, false)
    let isShown = StandardStreams.isTerminal(.standardOutput)
    try BrokenPipe.isNoError {
      try InputFile.forEachChunk { bytes, lines in
        let answered = answer(bytes, lines)
        for answers in answered {
          if unread == 0, let first = answers.firstUnread {
            warn(
              "row \((rows + first).grouped) of standard input is not an object with the text 'url', or is "
                + "too long; the answer to such rows is 'ineligible'")
          }
          if !hasPaths, let first = answers.firstPath {
            hasPaths = true
            warn(
              "row \((rows + first).grouped) of standard input is a path without a host; pass '--host HOST', "
                + "else the answer to paths is 'ineligible'")
          }
          rows += answers.rows
          unread += answers.unread
          if isShown {
            try StandardStreams.write(
              SafeText.escapedLines(String(decoding: answers.text, as: UTF8.self)))
          } else {
            try StandardStreams.write(answers.text)
          }
        }
      }
    }
    if unread > 1 {
      warn("\(unread.grouped) rows are invalid")
    }
  }

  /// Answers whole lines, each worker some that follow one another.
  func answer(_ bytes: [UInt8], _ lines: Range<Int>) -> [StreamAnswers.Answers] {
    let count = min(workers.count, max(1, lines.count / Self.pieceLength))
    var starts = [lines.lowerBound]
    for number in 1..<max(1, count) {
      let middle = max(starts[number - 1], lines.lowerBound + lines.count / count * number)
      let end = bytes.span.firstIndex(of: 0x0A, from: middle, to: lines.upperBound)
      starts.append(end.map { $0 + 1 } ?? lines.upperBound)
    }
    starts.append(lines.upperBound)
    let (ends, workers) = (starts, workers)
    return inParallel(jobs: count) { worker in
      workers[worker].withLock { $0.answer(bytes, ends[worker]..<ends[worker + 1]) }
    }
  }
}
