@testable import AccessLogs

/// Formats that users define.
extension FuzzTarget {
  static let formats = [formatStrings, jsonKeys]

  /// A definition before the last line, which is read with it.
  private static let formatStrings = FuzzTarget(
    "format-strings",
    words: [
      "log_format ", "escape=json", "escape=none", "escape=default", "LogFormat ", "#Fields: ",
      "$request", "$status", "$time_local", "$time_iso8601", "$msec", "$http_referer",
      "$http_user_agent", "$host", "$request_uri", "$uri", "$is_args", "$args", "${request}",
      "$request_method", "$ignored", "%h", "%r", "%>s", "%s", "%{Referer}i", "%{%Y-%m-%d}t",
      "%{sec}t", "%{msec_frac}t", "%U%q", "%!200{", "%v", "%t", "\\\"", "';", "GET / HTTP/1.1",
      "cs-uri-stem", "sc-status",
    ],
    seeds: { _ in
      [
        """
        log_format main escape=default '$remote_addr - $remote_user [$time_local] "$request" '
                                       '$status $body_bytes_sent "$http_referer" '
                                       '"$http_user_agent"';
        192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 5 "-" "curl/8"
        """,
        "$host $http_x_forwarded_for [$time_iso8601] $request_method $scheme://$host$request_uri $status\n"
          + "www.example.com 192.0.2.1, 192.0.2.2 [2026-11-19T08:00:01+01:00] GET https://www.example.com/a?b 404",
        #"log_format j escape=json '{"t":"$msec","u":"$uri$is_args$args","s":$status}'"# + "\n"
          + #"{"t":"1693840791.756","u":"/a?b=\"","s":200}"#,
        #"LogFormat "%v %h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-Agent}i\"" vhost"# + "\n"
          + #"h 192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a\" HTTP/1.1" 200 5 "-" "say \"hi\"""#,
        "%{%d/%b/%y %I:%M:%S %p %z}t %V %s %!200{User-Agent}i \"%r\"\n"
          + "19/Nov/26 08:00:01 PM +0130 www.example.com 200 a b c \"GET / HTTP/1.0\"",
        "%{%Y-%m-%d %H:%M:%S}t.%{msec_frac}t %m %U%q %>s %D %{Referer}i\n"
          + "2026-11-19 08:00:01.123 GET /a?b=1 200 77 https://r.example/",
        "#Fields: date time cs-uri-stem sc-status\n2026-11-19 08:00:01 /a 200",
        "$request$status\nx", "%{x\nx",
      ].map { Array($0.utf8) }
    },
    run: { bytes in
      var input = FuzzInput(bytes)
      let line = input.lastLine()
      let definition = input.bytes.text
      do {
        let format = try LogFormat(definition: definition)
        _ = format.fields
        try use(format, on: line)
      } catch let error as FormatStringError {
        try require(
          error.range.upperBound <= error.text.utf8.count,
          "\(error.message): \(error.range) of \(error.text.utf8.count)")
        let excerpt = error.excerpt
        try require(!excerpt.carets.isEmpty, "nothing is marked")
      }
    })

  /// Keys, `field=key` a line, in front of the last line, which is read with them.
  private static let jsonKeys = FuzzTarget(
    "json-keys", words: logWords + ["target=", "status=", "request.", "headers", "[0]"],
    seeds: { _ in
      [
        "target=req.uri\nstatus=res.status\nreferrer=req.headers.referer\n"
          + #"{"req":{"uri":"/a?b","headers":{"referer":["x"]}},"res":{"status":200}}"#,
        "request=r\n" + #"{"r":"GET /\u00e9 HTTP/1.1","status":404,"n":[1,{"a":{}}],}"#,
      ].map { Array($0.utf8) }
    },
    run: { bytes in
      var input = FuzzInput(bytes)
      let line = input.lastLine()
      let keys = input.bytes.text.split(separator: "\n").prefix(20).compactMap { pair in
        let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
        let field = LogField.allCases.first { $0.name == parts.first }
        return field.flatMap { field in parts.count == 2 ? (field, parts[1]) : nil }
      }
      try use(LogFormat(jsonKeys: keys.map { (field: $0.0, key: $0.1) }), on: line)
    })
}
