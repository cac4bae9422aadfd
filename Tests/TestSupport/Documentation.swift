import Foundation

/// The text between the marks of a table in a page of the documentation, or `nil` without marks.
///
/// `RECORD_DOCUMENTATION=1` puts `table` there first.
public func documentedTable(_ page: String, mark: String, recording table: String) throws -> String?
{
  let url = URL(fileURLWithPath: TestRun.packageFolder + "/Documentation/" + page)
  var text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
  guard let begin = text.range(of: "<!-- \(mark): begin -->\n")?.upperBound,
    let end = text.range(of: "\n<!-- \(mark): end -->")?.lowerBound
  else { return nil }
  guard ProcessInfo.processInfo.environment["RECORD_DOCUMENTATION"] == "1" else {
    return String(text[begin..<end])
  }
  text.replaceSubrange(begin..<end, with: table)
  try Data(text.utf8).write(to: url)
  return table
}
