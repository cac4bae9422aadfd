@testable import LinkAuditCommand
@testable import Reporting

/// The configuration, and text to show.
extension FuzzTarget {
  static let settings = [configuration, shownText]

  private static let configuration = FuzzTarget(
    "configuration",
    words: [
      "sites:", "hosts:", "aasa:", "routes:", "logs:", "inputs:", "format:", "json-keys:",
      "report:",
      "run:", "jobs:", "max-rejects:", "since:", "- ", "[", "]", "{", "}", "&a ", "*a", "<<: ",
      "|\n",
      ">\n", "!!int ", "? ", "---\n", "...\n", "%YAML 1.2\n", "0x7f", "0o17", "1e9", ".inf", ".nan",
      "~", "null", "1:30", "\\u0000", "9223372036854775808",
    ],
    seeds: { sources in
      let template = ConfigurationTemplate(routes: "routes.txt", logs: ["logs", "- odd: name"]).text
      let all = template.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        line.replacing(/^( *)# ( *[a-z-]+:.*)$/) { "\($0.output.1)\($0.output.2)" }
      }
      return [Array(template.utf8), Array(all.joined(separator: "\n").utf8)]
        + all.filter { !$0.isEmpty }.map { Array($0.utf8) }
    },
    run: { bytes in
      for path in ["linkaudit.yml", "a[b]/linkaudit.yml"] {
        do {
          let configuration = try Configuration.reading(bytes, from: path)
          for site in configuration.sites {
            try require(
              !site.hosts.isEmpty && !site.associationFile.isEmpty, "a site without host or file")
          }
        } catch let complaint as Complaint {
          try require(complaint.description.hasPrefix("'\(path)'"), complaint.description)
        }
      }
      // A written name is read as the same name.
      guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty else { return }
      let template = ConfigurationTemplate(associationFile: text, routes: text, logs: [text]).text
      let read = try Configuration.reading(Array(template.utf8), from: "linkaudit.yml")
      let name = text.unicodeScalars.first == "\u{FEFF}" ? "./" + text : text
      try requireEqual(read.sites.first?.associationFile.bytes, name.bytes, "the file's name")
      try requireEqual(read.sites.first?.routes.first?.bytes, name.bytes, "the routes' name")
      try requireEqual(read.logs.first?.bytes, name.bytes, "the logs' name")
    })

  private static let shownText = FuzzTarget(
    "shown-text", words: ["\u{1B}[31m", "\u{202E}", "\u{9B}", "\u{FEFF}", "\u{2028}"],
    seeds: { _ in ["plain", "\u{1B}]0;x\u{7}é\u{202E}", "\u{9B}2J\u{E000}"].map { Array($0.utf8) }
    },
    run: { bytes in
      let shown = SafeText.escaped(bytes.text)
      try require(!shown.unicodeScalars.contains(where: SafeText.isUnsafe), "unsafe: \(shown)")
      for byte in shown.utf8 { try require(byte >= 0x20 && byte != 0x7F, "a control: \(byte)") }
    })
}

extension String {
  fileprivate var bytes: [UInt8] { Array(utf8) }
}
