internal import Foundations
internal import Reporting

/// The configuration that `linkaudit init` writes: every key, with its purpose.
struct ConfigurationTemplate {
  /// The host, or `nil` if it isn't known: the site is then in comments, so that no command answers
  /// for another host.
  var host: String? = "www.example.com"
  var associationFile = "aasa.json"
  var routes: String?
  var logs: [String] = []

  /// The lines about the site.
  private var site: [String] {
    let lines = [
      "sites:",
      "  - hosts: [\(quoted(host ?? "www.example.com"))]   # \"*.example.com\" stands for all hosts below",
      "    aasa: \(quoted(associationFile))",
      "    \(routes.map { "routes: \(quoted($0))" } ?? "# routes: routes.txt")   # what the app implements, a route a line",
      "    # route-syntax: colon   # how the routes are written; detected from the file by default",
      "    # apps: [ABCDE12345.com.example.app]   # those that count; all unless given",
    ]
    return host == nil ? lines.map { "# " + $0 } : lines
  }

  /// The configuration with known values filled in, and the rest in comments.
  var text: String {
    """
    # linkaudit's configuration. Options on the command line win over it.
    # Paths are relative to this file; lists can be one value, too.

    # Which association file belongs to which hosts.
    \(site.joined(separator: "\n"))

    # Other hosts of yours, besides those under the domains of the sites.
    # own-hosts: [shop.example.net]
    # Hosts that redirect to yours, such as the click tracker of your mail service.
    # trackers: [click.example.com]
    # Paths to which login services send browsers back; '*' stands for any text.
    # callbacks: [/auth/callback]

    logs:
      # Files, directories, and patterns.
      \(logs.isEmpty ? "# inputs: [/var/log/nginx/access.log*]" : "inputs: [\(logs.map(quoted).joined(separator: ", "))]")
      # auto, a name that 'linkaudit formats' lists, or, after '|' and on lines of its
      # own, the text of a log_format or LogFormat as the server has it.
      format: auto
      # Keys of logs in JSON, in place of 'format'.
      # json-keys:
      #   target: req.uri
      #   status: res.status
      #   referrer: req.headers.referer
      # The host of lines that name none, from the path of their file.
      # host-from-path: "{host}-access"
      # The host of such lines is right, though referrers name another one.
      # host-confirmed: true
      # Only requests of this span of time: dates, times, yesterday, 7d, 12h.
      # since: 30d
      # until: yesterday
      # How many times its size a compressed log may decompress to.
      # max-expansion: 1000
      # Exit with status 2 if more lines than this share, in percent, aren't requests.
      # max-rejects: 5

    # Paths whose requests don't count; '*' stands for any text.
    # ignore: [/healthz, /internal/*]

    # Extensions of paths that aren't pages, in place of the usual ones.
    # asset-extensions: [css, js, png, svg, woff2]

    report:
      # text, json, csv, html, ndjson, or openmetrics; what the name of 'output' ends with,
      # else text, unless given.
      # format: text
      # Where the report goes; standard output unless given.
      # output: report.txt
      # Where all tables go, as CSV, with report.json and report.html; in place of 'output'.
      # output-directory: report
      # The table of a report in CSV.
      # table: rules
      # Rows per table.
      # top: 10
      # All tables in text, not only the start.
      # full: true
      # What rows are ordered by: visits or requests.
      # sort: visits
      # How paths are grouped: template, exact, or depth:N.
      # group: template
      # How many different names one directory may have before they fold into '{*}'.
      # fan-out: 100
      # Exit with status 1 if there is a finding of this severity or a higher one.
      # fail-on: error
      # From which share on findings have a severity, or never.
      # thresholds: ["same-host-links:warning=20%", "excluded-heavy:note=never"]
      # Where lines that aren't requests are kept.
      # rejects: rejects.tsv

    # Findings that are accepted: 'lint', 'report' and 'diff' fail only for others.
    # baseline: linkaudit-baseline.json

    # The store that 'linkaudit ingest' takes logs into.
    # store: /var/lib/linkaudit

    # run:
      # The number of workers; one for each core unless given.
      # jobs: 4
      # How much memory tables may take; what is more goes to temporary files.
      # memory: 1G
      # Where temporary files go.
      # temporary-directory: /var/tmp

    """
  }

  /// The name of a file as YAML has it, in double quotes where it needs them.
  private func quoted(_ name: String) -> String {
    // A mark of byte order at the start of a text is dropped when that is read.
    let text = name.unicodeScalars.first == "\u{FEFF}" ? "./" + name : name
    let isPlain = text.utf8.allSatisfy { byte in
      byte.isPlainInYAML
    }
    // Without quotes, 'null' is not a text.
    if isPlain, text != "null", let first = text.utf8.first, first != UInt8(ascii: "-") {
      return text
    }
    var output = "\""
    var reader = SafeText.Reader()
    for scalar in text.unicodeScalars {
      let isUnsafe = reader.isUnsafe(scalar)
      switch scalar {
      case "\"", "\\": output += "\\" + String(scalar)
      // YAML reads some of these as ends of lines and rejects others. It reads asterisks after
      // spaces and similar characters as aliases if there are many.
      case _ where isUnsafe || scalar == "*" && " [{,:?-".contains(output.last ?? "/"):
        let digits = String(scalar.value, radix: 16)
        output += "\\U" + String(repeating: "0", count: 8 - digits.utf8.count) + digits
      default: output.unicodeScalars.append(scalar)
      }
    }
    return output + "\""
  }
}

extension UInt8 {
  /// A Boolean value indicating whether this byte can be in a text of YAML without
  /// quotes.
  fileprivate var isPlainInYAML: Bool {
    isLetterOrDigit
      || self == UInt8(ascii: ".") || self == UInt8(ascii: "/") || self == UInt8(ascii: "-")
      || self == UInt8(ascii: "_")
  }
}
