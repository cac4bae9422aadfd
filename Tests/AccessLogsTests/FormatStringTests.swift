import TestSupport
import Testing

@testable import AccessLogs

@Suite struct FormatStringTests {
  /// Definitions before a line.
  @Test(
    arguments: FormatExample.table(
      #"""
      nginx: log_format main escape=default '$remote_addr - $remote_user [$time_local] "$request" '
                                     '$status $body_bytes_sent "$http_referer" '
                                     '"$http_user_agent" "$http_x_forwarded_for"';
      192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a\x22 HTTP/1.1" 200 5 "https://r.example/" "curl/8" "-"
        = GET /a" 200 at 10/Oct/2000:13:55:36 -0700 from https://r.example/ by curl/8
      nginx: "$remote_addr" "[$time_local]" "$request" "$status" "$http_referer"
      "192.0.2.1" "[10/Oct/2000:13:55:36 -0700]" "GET /a HTTP/1.1" "200" "-"
        = GET /a 200 at 10/Oct/2000:13:55:36 -0700
      Apache: "%r" %>s [%t]
      "GET /a HTTP/1.1" 200 [[10/Oct/2000:13:55:36 -0700]]
        = GET /a 200 at 10/Oct/2000:13:55:36 -0700
      nginx: log_format a "$request "
          "$status";
      GET /a HTTP/1.1 200
        = GET /a 200
      Apache: "%m %U %>s" short
      GET /a 200
        = GET /a 200
      nginx: $host $http_x_forwarded_for [$time_iso8601] $request_method $scheme://$host$request_uri $status
      www.example.com 192.0.2.1, 192.0.2.2 [2026-11-19T08:00:01+01:00] GET https://www.example.com/a?b 404
        = GET /a?b 404 at 2026-11-19T08:00:01+01:00 on www.example.com
      nginx: [$time_local] "$request" $status "$http_referer" $http_user_agent $http_x_forwarded_for
      [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 "-" Mozilla/5.0 (iPhone; CPU iPhone OS 17) Safari/604.1 192.0.2.1, 192.0.2.2
        = GET /a 200 at 10/Oct/2000:13:55:36 -0700 by Mozilla/5.0 (iPhone; CPU iPhone OS 17) Safari/604.1
      Apache: %h "%r" %>s %{User-Agent}i %D %{X-Forwarded-For}i
      192.0.2.1 "GET /a HTTP/1.1" 200 Mozilla/5.0 (iPhone; CPU iPhone OS 17) 12 -
        = GET /a 200 by Mozilla/5.0 (iPhone; CPU iPhone OS 17)
      nginx: $http_user_agent;$request;$status;$http_referer;$request_time
      Mozilla/5.0 (iPhone; CPU iPhone OS 17);GET /a HTTP/1.1;200;https://r.example/;0.1
        = GET /a 200 from https://r.example/ by Mozilla/5.0 (iPhone; CPU iPhone OS 17)
      nginx: $server_name $host "$request" $status
      example.com m.example.com "GET /a HTTP/1.1" 200
        = GET /a 200 on m.example.com
      Apache: %{Host}i %v "%r" %>s
      m.example.com example.com "GET /a HTTP/1.1" 200
        = GET /a 200 on m.example.com
      Apache: %v:%p %{Host}i "%r" %>s
      example.com:443 m.example.com "GET /a HTTP/1.1" 200
        = GET /a 200 on m.example.com
      nginx: $uri $request_method $request_uri $status
      /index.php GET /a?b 200
        = GET /a?b 200
      nginx: $remote_addr - $remote_user [$time_local] "$request" $status
      192.0.2.1 - a [10/Oct/2000:13:55:36 -0700 [03/Jun/2026:08:00:01 +0000] "GET /a HTTP/1.1" 200
        = GET /a 200 at 03/Jun/2026:08:00:01 +0000
      nginx: $remote_addr - $remote_user [$time_local] "$request" $status
      192.0.2.1 - [10/Oct/2000:13:55:36 -0700 b [c [x [03/Jun/2026:08:00:01 +0000] "GET /a HTTP/1.1" 200
        = GET /a 200 at 03/Jun/2026:08:00:01 +0000
      Apache: %h %l %u [%{%d/%m/%Y %H:%M:%S}t] "%r" %>s
      192.0.2.1 - a [10/11/2000 13:55:36 [03/06/2026 08:00:01] "GET /a HTTP/1.1" 200
        = GET /a 200 at 2026-06-03T08:00:01+00:00
      Apache: %h %l %u [%{%d %b %Y}t %{%H:%M:%S %z}t] "%r" %>s
      192.0.2.1 - a [10 Oct 2000 13:55:36 -0700 [03 Jun 2026 08:00:01 +0000] "GET /a HTTP/1.1" 200
        = GET /a 200 at 2026-06-03T08:00:01+00:00
      nginx: log_format j escape=json '{"t":"$msec","u":"$uri$is_args$args","m":"$request_method","s":$status,"a":"$http_user_agent"}'
      {"t":"1693840791.756","u":"/a?b=\"","m":"GET","s":200,"a":"say \"hi\""}
        = GET /a?b=" 200 at 1693840791.756 by say "hi"
      nginx: $http_x_forwarded_for $request_uri $status "$http_user_agent"
      203.0.113.77, 2001:db8:77::beef /buy/1 200 "UA"
        = GET /buy/1 200 by UA
      nginx: $remote_user $request_uri $status $body_bytes_sent
      alice smith /buy/1 200 5
        = GET /buy/1 200
      nginx: $http_cookie $request_uri $status
      a=1; sid=x /buy/1 200
        = GET /buy/1 200
      nginx: $remote_addr $http_x_forwarded_for $host $request_uri $status $http_user_agent
      9.9.9.9 1.1.1.1, 2.2.2.2 www.example.com /buy/1 200 ua
        = GET /buy/1 200 on www.example.com by ua
      nginx: $http_x_forwarded_for $host [$time_iso8601] "$request" $status
      203.0.113.77, 10.0.0.1 www.example.com [2026-06-03T00:00:01Z] "GET /buy/1 HTTP/1.1" 200
        = GET /buy/1 200 at 2026-06-03T00:00:01Z on www.example.com
      nginx: $http_x_forwarded_for $request_method $request_uri $status
      203.0.113.77, 198.51.100.9:4711 POST /buy/1?a=b 200
        = POST /buy/1?a=b 200
      nginx: $http_x_forwarded_for $request $status
      203.0.113.77, 10.0.0.1 GET /a b HTTP/1.1 200
        = GET /a b 200
      Apache: %{X-Forwarded-For}i %U %s %b
      1.1.1.1, 2.2.2.2 /buy/1 200 5
        = GET /buy/1 200
      nginx: $time_iso8601|$request_uri|$status
      2026-06-03T00:00:01Z|/a|b|200
        = GET /a|b 200 at 2026-06-03T00:00:01Z
      nginx: escape=none is not here $request|$status
      escape=none is not here GET /a\x22 HTTP/1.0|200
        = GET /a" 200
      nginx: log_format x escape=none '$request|$status';
      GET /a\x22 HTTP/1.0|200
        = GET /a\x22 200
      Apache: LogFormat "%v %h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-Agent}i\"" vhost
      www.example.com 192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a\" HTTP/1.1" 200 5 "-" "say \"hi\""
        = GET /a" 200 at 10/Oct/2000:13:55:36 -0700 on www.example.com by say "hi"
      Apache: %{%Y-%m-%d %H:%M:%S}t.%{msec_frac}t %m %U%q %>s %D %{Referer}i
      2026-11-19 08:00:01.123 GET /a?b=1 200 77 https://r.example/
        = GET /a?b=1 200 at 2026-11-19T08:00:01+00:00 from https://r.example/
      Apache: %{%d/%b/%y %I:%M:%S %p %z}t %V %s %!200{User-Agent}i "%r"
      19/Nov/26 08:00:01 PM +0130 www.example.com 200 a b c "GET / HTTP/1.0"
        = GET / 200 at 2026-11-19T20:00:01+01:30 on www.example.com by a b c
      Apache: %{sec}t %r %s
      1693840791 GET /a HTTP/1.1 200
        = GET /a 200 at 1693840791
      W3C: #Fields: date time cs-uri-stem sc-status
      2026-11-19 08:00:01 /a 200
        = GET /a 200 at 2026-11-19 08:00:01
      nginx: $request $status "$http_referer" "$http_user_agent"
      GET /a HTTP/1.1 200 "https://r
        = GET /a 200
      """#))
  func reads(example: FormatExample) throws {
    let format = try LogFormat(definition: String(example.heading.dropLast()))
    try LogFormatTests.expect(example, in: example.line, format, hasItsTime: true)
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
      ("%r %s %{%Y-%J}t", "%{%Y-%J}t", "use %Y"), ("%r %s %{x", "%{x", "run"),
      ("#Fields: date cs-uri", "#Fields: date cs-uri", "add 'sc-status'"), ("%r %s %", "%", "run"),
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
