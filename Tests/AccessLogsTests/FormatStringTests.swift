import Testing

@testable import AccessLogs

@Suite struct FormatStringTests {
  /// The fields of a line under a definition, in the order host, time, method, target, status,
  /// referrer, agent.
  static func read(_ definition: String, _ line: String) throws -> [String?] {
    let format = try LogFormat(definition: definition)
    let (parsed, text) = LogFormatTests.parse(format, line)
    guard case .request(let record) = parsed else { return ["\(parsed)"] }
    return [
      LogFormatTests.field(record.host, text), LogFormatTests.field(record.time, text),
      LogFormatTests.field(record.method, text), LogFormatTests.field(record.target, text),
      String(record.status), LogFormatTests.field(record.referrer, text),
      LogFormatTests.field(record.agent, text),
    ]
  }

  @Test(
    arguments: [
      (
        """
        log_format main escape=default '$remote_addr - $remote_user [$time_local] "$request" '
                                       '$status $body_bytes_sent "$http_referer" '
                                       '"$http_user_agent" "$http_x_forwarded_for"';
        """,
        #"192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a\x22 HTTP/1.1" 200 5 "https://r.example/" "curl/8" "-""#,
        [nil, "10/Oct/2000:13:55:36 -0700", "GET", "/a\"", "200", "https://r.example/", "curl/8"]
      ),
      // A quotation mark at the start can belong to the format.
      (
        #""$remote_addr" "[$time_local]" "$request" "$status" "$http_referer""#,
        #""192.0.2.1" "[10/Oct/2000:13:55:36 -0700]" "GET /a HTTP/1.1" "200" "-""#,
        [nil, "10/Oct/2000:13:55:36 -0700", "GET", "/a", "200", nil, nil]
      ),
      (
        #""%r" %>s [%t]"#, #""GET /a HTTP/1.1" 200 [[10/Oct/2000:13:55:36 -0700]]"#,
        [nil, "10/Oct/2000:13:55:36 -0700", "GET", "/a", "200", nil, nil]
      ),
      (
        "log_format a \"$request \"\n    \"$status\";", "GET /a HTTP/1.1 200",
        [nil, nil, "GET", "/a", "200", nil, nil]
      ),
      (
        #""%m %U %>s" short"#, "GET /a 200", [nil, nil, "GET", "/a", "200", nil, nil]
      ),
      (
        "$host $http_x_forwarded_for [$time_iso8601] $request_method $scheme://$host$request_uri $status",
        "www.example.com 192.0.2.1, 192.0.2.2 [2026-11-19T08:00:01+01:00] GET https://www.example.com/a?b 404",
        ["www.example.com", "2026-11-19T08:00:01+01:00", "GET", "/a?b", "404", nil, nil]
      ),
      // A user agent without quotation marks takes all but the last words.
      (
        #"[$time_local] "$request" $status "$http_referer" $http_user_agent $http_x_forwarded_for"#,
        #"[10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 "-" Mozilla/5.0 (iPhone; CPU iPhone OS 17) Safari/604.1 192.0.2.1, 192.0.2.2"#,
        [
          nil, "10/Oct/2000:13:55:36 -0700", "GET", "/a", "200", nil,
          "Mozilla/5.0 (iPhone; CPU iPhone OS 17) Safari/604.1",
        ]
      ),
      (
        #"%h "%r" %>s %{User-Agent}i %D %{X-Forwarded-For}i"#,
        #"192.0.2.1 "GET /a HTTP/1.1" 200 Mozilla/5.0 (iPhone; CPU iPhone OS 17) 12 -"#,
        [nil, nil, "GET", "/a", "200", nil, "Mozilla/5.0 (iPhone; CPU iPhone OS 17)"]
      ),
      (
        "$http_user_agent;$request;$status;$http_referer;$request_time",
        "Mozilla/5.0 (iPhone; CPU iPhone OS 17);GET /a HTTP/1.1;200;https://r.example/;0.1",
        [
          nil, nil, "GET", "/a", "200", "https://r.example/",
          "Mozilla/5.0 (iPhone; CPU iPhone OS 17)",
        ]
      ),
      // The requested host is exact, wherever it is.
      (
        #"$server_name $host "$request" $status"#,
        #"example.com m.example.com "GET /a HTTP/1.1" 200"#,
        ["m.example.com", nil, "GET", "/a", "200", nil, nil]
      ),
      (
        #"%{Host}i %v "%r" %>s"#, #"m.example.com example.com "GET /a HTTP/1.1" 200"#,
        ["m.example.com", nil, "GET", "/a", "200", nil, nil]
      ),
      (
        #"%v:%p %{Host}i "%r" %>s"#, #"example.com:443 m.example.com "GET /a HTTP/1.1" 200"#,
        ["m.example.com", nil, "GET", "/a", "200", nil, nil]
      ),
      (
        "$uri $request_method $request_uri $status", "/index.php GET /a?b 200",
        [nil, nil, "GET", "/a?b", "200", nil, nil]
      ),
      // A user whose name contains a time doesn't date the request.
      (
        #"$remote_addr - $remote_user [$time_local] "$request" $status"#,
        #"192.0.2.1 - a [10/Oct/2000:13:55:36 -0700 [03/Jun/2026:08:00:01 +0000] "GET /a HTTP/1.1" 200"#,
        [nil, "03/Jun/2026:08:00:01 +0000", "GET", "/a", "200", nil, nil]
      ),
      (
        #"$remote_addr - $remote_user [$time_local] "$request" $status"#,
        #"192.0.2.1 - [10/Oct/2000:13:55:36 -0700 b [c [x [03/Jun/2026:08:00:01 +0000] "GET /a HTTP/1.1" 200"#,
        [nil, "03/Jun/2026:08:00:01 +0000", "GET", "/a", "200", nil, nil]
      ),
      (
        #"%h %l %u [%{%d/%m/%Y %H:%M:%S}t] "%r" %>s"#,
        #"192.0.2.1 - a [10/11/2000 13:55:36 [03/06/2026 08:00:01] "GET /a HTTP/1.1" 200"#,
        [nil, "2026-06-03T08:00:01+00:00", "GET", "/a", "200", nil, nil]
      ),
      (
        #"%h %l %u [%{%d %b %Y}t %{%H:%M:%S %z}t] "%r" %>s"#,
        #"192.0.2.1 - a [10 Oct 2000 13:55:36 -0700 [03 Jun 2026 08:00:01 +0000] "GET /a HTTP/1.1" 200"#,
        [nil, "2026-06-03T08:00:01+00:00", "GET", "/a", "200", nil, nil]
      ),
      (
        #"log_format j escape=json '{"t":"$msec","u":"$uri$is_args$args","m":"$request_method","s":$status,"a":"$http_user_agent"}'"#,
        #"{"t":"1693840791.756","u":"/a?b=\"","m":"GET","s":200,"a":"say \"hi\""}"#,
        [nil, "1693840791.756", "GET", "/a?b=\"", "200", nil, "say \"hi\""]
      ),
      (
        #"$http_x_forwarded_for $request_uri $status "$http_user_agent""#,
        #"203.0.113.77, 2001:db8:77::beef /buy/1 200 "UA""#,
        [nil, nil, "GET", "/buy/1", "200", nil, "UA"]
      ),
      (
        "$remote_user $request_uri $status $body_bytes_sent", "alice smith /buy/1 200 5",
        [nil, nil, "GET", "/buy/1", "200", nil, nil]
      ),
      (
        "$http_cookie $request_uri $status", "a=1; sid=x /buy/1 200",
        [nil, nil, "GET", "/buy/1", "200", nil, nil]
      ),
      (
        "$remote_addr $http_x_forwarded_for $host $request_uri $status $http_user_agent",
        "9.9.9.9 1.1.1.1, 2.2.2.2 www.example.com /buy/1 200 ua",
        ["www.example.com", nil, "GET", "/buy/1", "200", nil, "ua"]
      ),
      (
        #"$http_x_forwarded_for $host [$time_iso8601] "$request" $status"#,
        #"203.0.113.77, 10.0.0.1 www.example.com [2026-06-03T00:00:01Z] "GET /buy/1 HTTP/1.1" 200"#,
        ["www.example.com", "2026-06-03T00:00:01Z", "GET", "/buy/1", "200", nil, nil]
      ),
      (
        "$http_x_forwarded_for $request_method $request_uri $status",
        "203.0.113.77, 198.51.100.9:4711 POST /buy/1?a=b 200",
        [nil, nil, "POST", "/buy/1?a=b", "200", nil, nil]
      ),
      (
        "$http_x_forwarded_for $request $status", "203.0.113.77, 10.0.0.1 GET /a b HTTP/1.1 200",
        [nil, nil, "GET", "/a b", "200", nil, nil]
      ),
      (
        "%{X-Forwarded-For}i %U %s %b", "1.1.1.1, 2.2.2.2 /buy/1 200 5",
        [nil, nil, "GET", "/buy/1", "200", nil, nil]
      ),
      (
        "$time_iso8601|$request_uri|$status", "2026-06-03T00:00:01Z|/a|b|200",
        [nil, "2026-06-03T00:00:01Z", "GET", "/a|b", "200", nil, nil]
      ),
      (
        "escape=none is not here $request|$status",
        "escape=none is not here GET /a\\x22 HTTP/1.0|200",
        [nil, nil, "GET", "/a\"", "200", nil, nil]
      ),
      (
        "log_format x escape=none '$request|$status';", "GET /a\\x22 HTTP/1.0|200",
        [nil, nil, "GET", "/a\\x22", "200", nil, nil]
      ),
      (
        #"LogFormat "%v %h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-Agent}i\"" vhost"#,
        #"www.example.com 192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a\" HTTP/1.1" 200 5 "-" "say \"hi\"""#,
        [
          "www.example.com", "10/Oct/2000:13:55:36 -0700", "GET", "/a\"", "200", nil, "say \"hi\"",
        ]
      ),
      (
        "%{%Y-%m-%d %H:%M:%S}t.%{msec_frac}t %m %U%q %>s %D %{Referer}i",
        "2026-11-19 08:00:01.123 GET /a?b=1 200 77 https://r.example/",
        [nil, "2026-11-19T08:00:01+00:00", "GET", "/a?b=1", "200", "https://r.example/", nil]
      ),
      (
        "%{%d/%b/%y %I:%M:%S %p %z}t %V %s %!200{User-Agent}i \"%r\"",
        "19/Nov/26 08:00:01 PM +0130 www.example.com 200 a b c \"GET / HTTP/1.0\"",
        ["www.example.com", "2026-11-19T20:00:01+01:30", "GET", "/", "200", nil, "a b c"]
      ),
      (
        "%{sec}t %r %s", "1693840791 GET /a HTTP/1.1 200",
        [nil, "1693840791", "GET", "/a", "200", nil, nil]
      ),
      (
        "#Fields: date time cs-uri-stem sc-status", "2026-11-19 08:00:01 /a 200",
        [nil, "2026-11-19 08:00:01", "GET", "/a", "200", nil, nil]
      ),
      // What is missing behind the status is absent.
      (
        "$request $status \"$http_referer\" \"$http_user_agent\"",
        "GET /a HTTP/1.1 200 \"https://r",
        [nil, nil, "GET", "/a", "200", nil, nil]
      ),
    ] as [(String, String, [String?])])
  func reads(definition: String, line: String, expected: [String?]) throws {
    #expect(try Self.read(definition, line) == expected)
  }

  @Test(
    arguments: [
      ("$remote_addr $requst $status", "$requst", "did you mean '$request'?"),
      ("$request $status $my_own", "$my_own", "if it is your own variable"),
      ("$request$status", "$status", "configure the server to write a space"),
      ("$remote_addr $status", "$remote_addr $status", "linkaudit needs the target and the status"),
      ("$request", "$request", "linkaudit needs the target and the status"),
      ("log_format x escape=yes '$request $status'", "escape=yes", "nginx supports"),
      ("%h %Q %r %s", "%Q", "run 'linkaudit formats'"),
      ("%r %s %{Referrer}i", "%{Referrer}i", "did you mean '%{Referer}i'?"),
      ("%r %s %{UserAgent}i", "%{UserAgent}i", "did you mean '%{User-Agent}i'?"),
      ("%r %s %{%Y-%J}t", "%{%Y-%J}t", "use %Y"),
      ("%r %s %{x", "%{x", "run"),
      ("#Fields: date cs-uri", "#Fields: date cs-uri", "add 'sc-status'"),
      ("%r %s %", "%", "run"),
    ])
  func unknownPartsAreNamed(definition: String, part: String, remedy: String) throws {
    let error = try #require(throws: FormatStringError.self) {
      _ = try LogFormat(definition: definition)
    }
    let bytes = Array(error.text.utf8)
    #expect(String(decoding: bytes[error.range], as: UTF8.self) == part)
    #expect(error.remedy.hasPrefix(remedy))
    let excerpt = error.excerpt
    let offset = excerpt.carets.prefix { $0 == " " }.count
    #expect(excerpt.line.dropFirst(offset).hasPrefix(part))
  }
}
