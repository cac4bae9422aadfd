internal import Foundations
package import UniversalLinks

/// A line of `--expect`: the expected outcome for a URL.
package struct MatchExpectation {
  /// The outcome of a link.
  package enum Outcome: String {
    /// It opens an app.
    case open

    /// It stays in the browser.
    case browser
  }

  /// The expected outcome.
  package var outcome: Outcome

  /// The app that the expectation is about, or `nil` for any.
  package var app: ApplicationIdentifier?

  /// The URL, which need not be UTF-8.
  package var url: [UInt8]

  var line: Int
}

extension MatchExpectation {
  /// Reads the lines of a file, whose expectations can be about some apps.
  ///
  /// - Parameters:
  ///   - text: The file.
  ///   - apps: The apps.
  ///   - urlOfPath: Returns the URL of a path, or `nil` for other texts, or if no host is known.
  /// - Returns: The expectations, and the lines that can't be understood.
  package static func read(
    _ text: [UInt8], apps: Set<ApplicationIdentifier>, urlOfPath: ([UInt8]) -> [UInt8]?
  ) -> (expectations: [MatchExpectation], mistakes: [Mistake]) {
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = text.starts(with: byteOrderMark) ? text.dropFirst(3) : text[...]
    var (expectations, mistakes): ([MatchExpectation], [Mistake]) = ([], [])
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let words = line.split { $0.isBlank || $0 == 0x0D }
      guard let first = words.first, first.first != UInt8(ascii: "#") else { continue }
      do throws(Mistake) {
        expectations.append(try read(words, line: index + 1, apps: apps, urlOfPath))
      } catch {
        mistakes.append(error)
      }
    }
    return (expectations, mistakes)
  }

  private static func read(
    _ words: [ArraySlice<UInt8>], line: Int, apps: Set<ApplicationIdentifier>,
    _ urlOfPath: ([UInt8]) -> [UInt8]?
  ) throws(Mistake) -> MatchExpectation {
    func mistake(_ reason: String) -> Mistake { Mistake(line: line, reason: reason) }
    let word = String(decoding: words[0], as: UTF8.self)
    let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let outcome = parts.first.flatMap({ Outcome(rawValue: String($0)) }) else {
      throw mistake("'\(word)' is neither 'open' nor 'browser'; write 'open URL' or 'browser URL'")
    }
    var app: ApplicationIdentifier?
    if parts.count == 2 {
      let identifier = ApplicationIdentifier(String(parts[1]))
      guard apps.contains(identifier) else {
        throw mistake(
          "no association file names the app '\(parts[1])'; write it as in the file, with its prefix"
        )
      }
      app = identifier
    }
    guard words.count > 1 else { throw mistake("there is no URL after '\(word)'") }
    // Text after a space and a '#' is a comment.
    if words.count > 2, words[2].first != UInt8(ascii: "#") {
      throw mistake(
        "there is white space in the URL; write a space as %20, and begin a comment with ' #'")
    }
    let url = urlOfPath(Array(words[1])) ?? Array(words[1])
    if LinkURL(url).ineligibility == .notHTTP {
      let text = String(decoding: url, as: UTF8.self)
      let isPath = text.hasPrefix("/") && !text.hasPrefix("//")
      throw mistake(
        "'\(text)' is not a URL that begins with http:// or https://"
          + (isPath ? "; pass the host of paths with '--host HOST'" : "")
          + (text.meantURL.map { "; did you mean '\($0)'?" } ?? ""))
    }
    return MatchExpectation(outcome: outcome, app: app, url: url, line: line)
  }

  /// A line that can't be used.
  package struct Mistake: Error {
    /// The number of the line, from 1.
    package var line: Int

    /// The reason why the line can't be used.
    package var reason: String
  }
}

extension String {
  /// The URL that a text such as `www.example.com/buy` probably means, or `nil`.
  var meantURL: String? {
    if hasPrefix("//") { return String(dropFirst(2)).meantURL }
    let labels = prefix { !"/?#:".contains($0) }
      .split(separator: ".", omittingEmptySubsequences: false)
    let isHost =
      labels.count > 1
      && labels.allSatisfy { label in
        !label.isEmpty && label.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0.isLetterOrDigit }
      }
    guard isHost, let last = labels.last, last.utf8.allSatisfy({ $0 > 0x40 }) else { return nil }
    return "https://" + self
  }
}
