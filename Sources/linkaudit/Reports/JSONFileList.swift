internal import AccessLogs
internal import TrafficDigest

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The list of files in a report as JSON.
///
/// There may be a hundred thousand of them, for which an encoder takes longer than
/// reading them does. What is written here is what it would write.
struct JSONFileList {
  /// What became of the logs.
  let files: [TrafficDigest.Input]

  /// Puts the list where a document has `null` in its place.
  func inserted(into document: String) throws -> String {
    // No string holds a line feed, and no other object with the name is indented
    // so.
    let name = "\n    \"files\" : "
    guard let place = document.firstRange(of: name + "null") else { return document }
    var text = String(document[..<place.lowerBound]) + name
    text.reserveCapacity(document.utf8.count + 256 * files.count)
    try write(to: &text)
    text += document[place.upperBound...]
    return text
  }

  private func write(to text: inout String) throws {
    text += "[\n"
    if files.isEmpty { text += "\n" }
    for (index, file) in files.enumerated() {
      if index > 0 { text += ",\n" }
      text += "      {\n        \"format\" : "
      text += try file.format.map { try quoted($0.name) } ?? "null"
      text += ",\n        \"lines\" : "
      text += String(file.tally.lines)
      // Where the damage is, in bytes of the file.
      text += ",\n        \"offset\" : "
      text += file.damage.map { String($0.offset) } ?? "null"
      text += ",\n        \"path\" : "
      text += try quoted(file.path)
      text += ",\n        \"rejected\" : "
      text += String(file.tally.rejected)
      text += ",\n        \"requests\" : "
      text += String(file.tally.requests)
      text += ",\n        \"status\" : \""
      text += InputStatus(file.damage).rawValue
      text += "\"\n      }"
    }
    text += "\n    ]"
  }

  /// A string with quotes around it.
  private func quoted(_ text: String) throws -> String {
    let isPlain = text.utf8.allSatisfy {
      (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    if isPlain { return "\"" + text + "\"" }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return SafeText.escapedJSON(String(decoding: try encoder.encode(text), as: UTF8.self))
  }
}
