internal import LinkAuditing

/// The table of codes in Documentation/Fetch.md.
public enum DeliveryCodeTable {
  /// The table in Markdown, with a line feed at its end.
  public static var markdown: String {
    var lines = [
      "| code | severity | found when | why it matters | to do |",
      "| --- | --- | --- | --- | --- |",
    ]
    for code in DeliveryProblem.Code.allCases {
      let description = code.description
      let severity =
        description.severity.rawValue + (description.exception.map { "; " + $0 } ?? "")
      lines.append(
        "| `\(code.rawValue)` | \(severity) | \(description.condition) | \(description.why.withCodeMarks) "
          + "| \(description.remedy.withCodeMarks) |")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension String {
  /// The text with what stands in single quotes marked as code; apostrophes are left alone.
  fileprivate var withCodeMarks: String {
    var output = ""
    var isOpen = false
    var previous: Character = " "
    for character in self {
      if character == "'", isOpen || previous == " " || previous == "(" {
        isOpen.toggle()
        output.append("`")
      } else {
        output.append(character)
      }
      previous = character
    }
    return output
  }
}
