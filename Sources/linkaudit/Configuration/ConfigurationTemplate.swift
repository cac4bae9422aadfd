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
      "  - hosts: [\(quoted(host ?? "www.example.com"))]   # \"*.example.com\" means all hosts below",
      "    aasa: \(quoted(associationFile))",
      "    \(routes.map { "routes: \(quoted($0))" } ?? "# routes: routes.txt")   # the routes of the app, one a line",
      "    # route-syntax: colon   # detected by default",
      "    # apps: [ABCDE12345.com.example.app]   # audit these apps only; all by default",
    ]
    return host == nil ? lines.map { "# " + $0 } : lines
  }

  /// The configuration with known values filled in, and the rest in comments.
  var text: String {
    """
    # The configuration of linkaudit. Options on the command line take precedence.
    # Paths are relative to this file. Instead of a list, you can write a single value.

    # The association file of each host.
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
      # auto, a name that 'linkaudit formats' lists, or the text of an nginx log_format
      # or Apache LogFormat, after '|' and on its own lines.
      format: auto
      # Keys of JSON logs, instead of 'format'.
      # json-keys:
      #   target: req.uri
      #   status: res.status
      #   referrer: req.headers.referer
      # Take the host of lines without one from the path of their log.
      # host-from-path: "{host}-access"
      # Accept the host of lines without one, even if referrers name another host.
      # host-confirmed: true
      # Count requests in this period only: dates, times, yesterday, 7d, 12h.
      # since: 30d
      # until: yesterday
      # Stop reading a log beyond this decompression ratio.
      # max-expansion: 1000
      # Refuse a zstd log that needs a greater window in memory, up to 2G.
      # max-window: 128M
      # Exit with status 2 if more than this percentage of the lines is rejected.
      # max-rejects: 5

    # Ignore requests of these paths; '*' stands for any text.
    # ignore: [/healthz, /internal/*]

    # Extensions of files that aren't pages, instead of the default ones.
    # asset-extensions: [css, js, png, svg, woff2]

    report:
      # text, json, csv, html, ndjson, openmetrics, or markdown. By default, the extension
      # of 'output' selects it, else it is text.
      # format: text
      # Write the report to this file; standard output by default.
      # output: report.txt
      # Write report.json, report.html and a CSV file for each table to this directory,
      # instead of 'output'.
      # output-directory: report
      # Write this table in CSV.
      # table: rules
      # Show this many rows per table.
      # top: 10
      # Show all tables in text, not only the start.
      # full: true
      # Order rows by visits or requests.
      # sort: visits
      # Group paths by template, exact, or depth:N.
      # group: template
      # Fold the names in a directory into '{*}' if there are more than this.
      # fan-out: 100
      # Exit with status 1 if a finding has this severity or a higher one.
      # fail-on: error
      # Minimum shares of traffic for a severity, or never.
      # thresholds: ["same-host-links:warning=20%", "excluded-heavy:note=never"]
      # Write rejected lines to this file.
      # rejects: rejects.tsv

    # Accept the findings in this file: 'lint', 'report' and 'diff' fail only for others.
    # baseline: linkaudit-baseline.json

    # The store of 'linkaudit ingest'.
    # store: /var/lib/linkaudit

    # run:
      # Use this many workers; one per core by default.
      # jobs: 4
      # Use this much memory for tables; beyond it, linkaudit spills to temporary files. The default
      # is a quarter of the memory that the system leaves.
      # memory: 1G
      # Write temporary files to this directory.
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
