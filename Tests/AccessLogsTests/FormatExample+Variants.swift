extension FormatExample {
  /// Lines that differ from the usual ones, as some servers and collectors write them.
  static let variants: [FormatExample] = [
    FormatExample(
      format: "tencent-cdn",
      line:
        #"20260603120001 192.0.2.1 www.example.com /a/b.jpg?c 2345 22 26 200 https://www.example.com/ 12 "Mozilla/5.0 (iPhone; x)" "(null)" GET HTTP/2.0 hit 51517"#,
      host: "www.example.com", time: "2026-06-03T12:00:01+00:00", target: "/a/b.jpg?c",
      referrer: "https://www.example.com/", agent: "Mozilla/5.0 (iPhone; x)"),
    FormatExample(
      format: "tencent-cdn",
      line:
        #"20260603120001 192.0.2.1 www.example.com /a 2345 22 26 404 "-" 12 "curl/8" "bytes=0-1" HEAD HTTPS miss"#,
      host: "www.example.com", time: "2026-06-03T12:00:01+00:00", method: "HEAD", target: "/a",
      status: 404, agent: "curl/8"),
    FormatExample(
      format: "morgan", line: "GET /a?b 304 - - 1.234 ms", target: "/a?b", status: 304),
    FormatExample(
      format: "morgan", line: "POST /a 201 5.123 ms - 12", method: "POST", target: "/a", status: 201
    ),
    FormatExample(
      format: "morgan", line: "\u{1B}[0mGET /a \u{1B}[36m304\u{1B}[0m 5.123 ms - -\u{1B}[0m",
      target: "/a", status: 304),
    FormatExample(
      format: "morgan", line: "::ffff:192.0.2.1 - GET /a HTTP/1.1 200 12 - 1.234 ms", target: "/a"),
    FormatExample(
      format: "common",
      line:
        #"[2026-06-03 12:00:01 +0000] [12] [INFO] 192.0.2.1:5000 - - [03/Jun/2026:12:00:01 +0000] "GET /a 1.1" 200 5"#,
      time: "2026-06-03T12:00:01+00:00", target: "/a"),
    FormatExample(
      format: "logfmt",
      line:
        #"time=2026-06-03T12:00:01Z http_method=GET site=www.example.com uri="/a" status=200 http_referrer="-" http_user_agent="curl/8""#,
      host: "www.example.com", time: "2026-06-03T12:00:01+00:00", target: "/a", agent: "curl/8"),
    FormatExample(
      format: "nginx-json",
      line:
        #"{"time":"2026-06-03T12:00:01Z","vhost":"www.example.com","request":"GET /a HTTP/1.1","query":"?b=1","status":200}"#,
      host: "www.example.com", time: "2026-06-03T12:00:01+00:00", target: "/a?b=1"),
    // The keys of other programs.
    FormatExample(
      format: "nginx-json",
      line:
        #"{"@timestamp":"2026-06-03T12:00:01Z","path":"/a","query":"b=1","domain":"www.example.com","response_code":200}"#,
      host: "www.example.com", time: "2026-06-03T12:00:01+00:00", target: "/a?b=1"),
    FormatExample(
      format: "nginx-json",
      line:
        #"{"time":"2026-06-03T12:00:01Z","request":{"uri":"/a","method":"GET","host":"www.example.com"},"status":200,"user_agent":"curl/8"}"#,
      host: "www.example.com", time: "2026-06-03T12:00:01+00:00", target: "/a", agent: "curl/8"),
    FormatExample(
      format: "gin",
      line:
        #"[GIN] 2026/06/03 - 12:00:01 | 404 |     1.2345ms |       192.0.2.1 | GET      "/a?b""#,
      time: "2026-06-03T12:00:01+00:00", target: "/a?b", status: 404),
    FormatExample(
      format: "gin",
      line:
        "[GIN] 2026/06/03 - 12:00:01 |\u{1B}[97;42m 200 \u{1B}[0m|     1.2345ms |       192.0.2.1 |\u{1B}[97;46m POST    \u{1B}[0m \"/a\"",
      time: "2026-06-03T12:00:01+00:00", method: "POST", target: "/a"),
    FormatExample(
      format: "uwsgi",
      line:
        "[pid: 12|app: 0|req: 7/9] 192.0.2.1 () {40 vars in 612 bytes} [Wed Jun  3 12:00:01 2026] GET /a?b=1 => generated 2543 bytes in 12 msecs (HTTP/1.1 200) 4 headers in 121 bytes (1 switches on core 0)",
      time: "2026-06-03T12:00:01+00:00", target: "/a?b=1"),
    FormatExample(
      format: "confluence",
      line:
        "[18/Dec/2020:12:57:26 +1100] testuser http-nio-8090-exec-6 0:0:0:0:0:0:0:1 GET /index.action HTTP/1.1 200 1020ms 7881 https://www.example.com/login.action?a=b Mozilla/5.0 (Macintosh; Intel Mac OS X 10_14_6) Safari/537.36",
      time: "2020-12-18T12:57:26+11:00", target: "/index.action",
      referrer: "https://www.example.com/login.action?a=b",
      agent: "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_14_6) Safari/537.36"),
    FormatExample(
      format: "bitbucket",
      line:
        #"192.0.2.1,192.0.2.2 | https | o@PZQFBCx921x19253x0 | - | 2026-06-03 12:00:01,437 | "GET /a HTTP/1.1" | "https://www.example.com/" "Mozilla/5.0 (iPhone)" | 200 | 0 | 19 | - | 6 | 1irez8i |"#,
      time: "2026-06-03T12:00:01+00:00", target: "/a", referrer: "https://www.example.com/",
      agent: "Mozilla/5.0 (iPhone)"),
    FormatExample(
      format: "common",
      line:
        #"192.0.2.1 - - [03/Jun/2026:12:00:01 +0000]"GET /pets HTTP/1.1" 200 35 c6af9ac6-7b61-11e6-9a41-93e8deadbeef"#,
      time: "2026-06-03T12:00:01+00:00", target: "/pets"),
    FormatExample(
      format: "nginx-json",
      line:
        #"{"requestId":"c6af","ip":"192.0.2.1","caller":"-","user":"-","requestTime":"03/Jun/2026:12:00:01 +0000","httpMethod":"GET","resourcePath":"/pets","status":"200","protocol":"HTTP/1.1","responseLength":"35"}"#,
      time: "2026-06-03T12:00:01+00:00", target: "/pets"),
    FormatExample(
      format: "nginx-json",
      line:
        #"{"requestId":"c6af","ip":"192.0.2.1","requestTime":"03/Jun/2026:12:00:01 +0000","httpMethod":"POST","routeKey":"POST /pets","status":"200","protocol":"HTTP/1.1","responseLength":"35"}"#,
      time: "2026-06-03T12:00:01+00:00", method: "POST", target: "/pets"),
    FormatExample(
      format: "nginx-json",
      line:
        #"{"ts":1780488001.25,"uid":"CHh","id.orig_h":"192.0.2.1","method":"GET","host":"www.example.com","uri":"/a","referrer":"https://www.example.com/","version":"1.1","user_agent":"curl/8","request_body_len":0,"response_body_len":3,"status_code":200,"status_msg":"OK"}"#,
      host: "www.example.com", time: "2026-06-03T12:00:01+00:00", target: "/a",
      referrer: "https://www.example.com/", agent: "curl/8"),
    FormatExample(
      format: "w3c",
      heading:
        "#separator \\x09\n#path\thttp\n#fields\tts\tuid\tmethod\thost\turi\treferrer\tuser_agent\tresponse_body_len\tstatus_code\n#types\ttime\n",
      line:
        "1780488001.250000\tCHh\tGET\twww.example.com\t/a\t-\tMozilla/5.0 (iPhone; x)\t3\t200",
      host: "www.example.com", time: "2026-06-03T12:00:01+00:00", target: "/a",
      agent: "Mozilla/5.0 (iPhone; x)"),
    FormatExample(
      format: "logfmt",
      line:
        "I, [2026-06-03T12:00:01.123456 #1234]  INFO -- : method=GET path=/a format=html controller=PagesController action=show status=200 duration=58.33 view=40.43 db=15.26",
      time: "2026-06-03T12:00:01+00:00", target: "/a"),
    FormatExample(
      format: "combined",
      line:
        #"192.0.2.1 - "bob smith" [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 5 "-" "curl/8""#,
      time: "2000-10-10T13:55:36-07:00", target: "/a", agent: "curl/8"),
    FormatExample(
      format: "combined",
      line:
        #""192.0.2.1, 192.0.2.2" - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 5 "-" "curl/8""#,
      time: "2000-10-10T13:55:36-07:00", target: "/a", agent: "curl/8"),
    FormatExample(
      format: "vcombined",
      line:
        #"www.example.com "192.0.2.1, 192.0.2.2" 192.0.2.3 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 5 "-" "curl/8""#,
      host: "www.example.com", time: "2000-10-10T13:55:36-07:00", target: "/a", agent: "curl/8"),
    FormatExample(
      format: "vcombined",
      line:
        #"www.example.com 192.0.2.1, 192.0.2.2 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 5 "-" "curl/8""#,
      host: "www.example.com", time: "2000-10-10T13:55:36-07:00", target: "/a", agent: "curl/8"),
    FormatExample(
      format: "vcombined",
      line:
        #"2000-10-10T20:55:36.123456789+00:00 stdout F www.example.com 192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 5 "-" "curl/8""#,
      host: "www.example.com", time: "2000-10-10T13:55:36-07:00", target: "/a", agent: "curl/8"),
    FormatExample(
      format: "traefik",
      line:
        #"192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 5 - "curl/8" 13 "web@docker" "http://192.0.2.3:80" 12ms"#,
      time: "2000-10-10T13:55:36-07:00", target: "/a", agent: "curl/8"),
    FormatExample(
      format: "w3c",
      heading: "\u{FEFF}#Fields: date time cs-method cs-uri-stem sc-status\n",
      line:
        "2026-11-19 08:00:01 GET /a 200",
      time: "2026-11-19T08:00:01+00:00", target: "/a"),
    FormatExample(
      format: "w3c",
      heading:
        "#Fields: c-ip\tc-agent\tdate\ttime\tr-host\ts-operation\tcs-uri\tscan result\tsc-status\n",
      line:
        "192.0.2.1\tMozilla/5.0 (iPhone; x)\t2026-11-19\t08:00:01\twww.example.com\tPOST\thttp://www.example.com/a?b\tnot scanned\t201",
      host: "www.example.com", time: "2026-11-19T08:00:01+00:00", method: "POST",
      target: "http://www.example.com/a?b", status: 201, agent: "Mozilla/5.0 (iPhone; x)"),
    FormatExample(
      format: "w3c",
      heading:
        "#Fields: DateTime,RequestId,UrlHost,UrlStem,AuthenticatedUser,UserAgent,HttpStatus,ErrorCode,Method,UrlQuery\n",
      line:
        #"2026-11-19T08:00:01.123Z,1,www.example.com,/a,,"Office/16 (Windows NT 10.0; Pro)",200,,POST,?b=1"#,
      host: "www.example.com", time: "2026-11-19T08:00:01+00:00", method: "POST", target: "/a?b=1",
      agent: "Office/16 (Windows NT 10.0; Pro)"),
    FormatExample(
      format: "cloudfront",
      line:
        "2026-11-19\t08:00:01\tFRA2\t182\t192.0.2.1\tGET\td1.cloudfront.net\t/a\t200\t-\tcurl/8\tq=1\t-\tMiss\tabc==\twww.example.com\thttps",
      host: "www.example.com", time: "2026-11-19T08:00:01+00:00", target: "/a?q=1", agent: "curl/8"),
    FormatExample(
      format: "cloudfront",
      line:
        "1700000000.123\t192.0.2.1\t0.002\t200\t500\tGET\thttps\td1.cloudfront.net\t/a\t50\tFRA2\tabc==\twww.example.com\t0.003\tHTTP/2.0\tIPv4\tMozilla/5.0%20(iPhone)\thttps://www.example.com/\t-\tq=1\tHit",
      host: "www.example.com", time: "2023-11-14T22:13:20+00:00", target: "/a?q=1",
      referrer: "https://www.example.com/", agent: "Mozilla/5.0 (iPhone)"),
    FormatExample(
      format: "cloudfront",
      line:
        "1700000000.123\t192.0.2.1\t192.0.2.9\t0.002\t200\t500\tGET\thttps\td1.cloudfront.net\t/a\t50\tFRA2\tabc==\twww.example.com\t0.003\tHTTP/2.0\tIPv4\tMozilla/5.0%20(iPhone)\thttps://www.example.com/\t-\tq=1\tHit",
      host: "www.example.com", time: "2023-11-14T22:13:20+00:00", target: "/a?q=1",
      referrer: "https://www.example.com/", agent: "Mozilla/5.0 (iPhone)"),
    FormatExample(
      format: "cloudfront",
      line:
        #"{"timestamp(ms)":1700000000123,"cs-method":"GET","x-host-header":"www.example.com","cs-uri-stem":"/a","sc-status":"200","cs(User-Agent)":"Mozilla/5.0%20(iPhone)"}"#,
      host: "www.example.com", time: "2023-11-14T22:13:20+00:00", target: "/a",
      agent: "Mozilla/5.0 (iPhone)"),
    FormatExample(
      format: "cloudfront",
      heading: "date\ttime\tcs(User-Agent)\tx-host-header\tcs-uri-stem\tsc-status\n",
      line: "2026-11-19\t08:00:01\tMozilla/5.0 (iPhone; x)\twww.example.com\t/a\t200",
      host: "www.example.com", time: "2026-11-19T08:00:01+00:00", target: "/a",
      agent: "Mozilla/5.0 (iPhone; x)"),
    FormatExample(
      format: "caddy",
      line:
        "2026/11/19 08:00:01.123\tINFO\thttp.log.access\thandled request\t{\"request\": {\"method\": \"GET\", \"host\": \"www.example.com\", \"uri\": \"/a\", \"headers\": {\"User-Agent\": [\"curl/8\"]}}, \"status\": 200}",
      host: "www.example.com", time: "2026-11-19T08:00:01+00:00", target: "/a", agent: "curl/8"),
    FormatExample(
      format: "haproxy",
      line:
        #"<134>1 2026-11-19T08:00:01.5+00:00 lb haproxy 1 - - 192.0.2.1:5000 [19/Nov/2026:08:00:01.584] web~ app/a1 www.example.com 0/0/0/72/+72 200 +7456 - - ---- 5/4/0/1/0 0/0 "GET /a HTTP/1.1" 0/0/0/0/1 www.example.com/TLSv1.3/TLS_AES_128_GCM_SHA256"#,
      host: "www.example.com", time: "2026-11-19T08:00:01+00:00", target: "/a"),
    FormatExample(
      format: "haproxy",
      line:
        #"192.0.2.1:5000 [19/Nov/2026:08:00:01.584] web app 200 74 "GET /a HTTP/1.1""#,
      time: "2026-11-19T08:00:01+00:00", target: "/a"),
    FormatExample(
      format: "envoy-json",
      line:
        #"[2026-01-24T01:37:00.000Z] "GET /a HTTP/1.1" 200 - via_upstream - "-" 0 178 2 1 "-" "curl/8" "id" "www.example.com" "192.0.2.3:80" inbound|9080|| 192.0.2.4:1 192.0.2.3:80 192.0.2.1:2 outbound default"#,
      host: "www.example.com", time: "2026-01-24T01:37:00+00:00", target: "/a", agent: "curl/8"),
    FormatExample(
      format: "envoy-json",
      line:
        #"ACCESS [2026-01-24T01:37:00.000Z] "GET /a HTTP/2" 200 - 0 180 5 4 "192.0.2.1" "curl/8" "id" "www.example.com" "192.0.2.3:80""#,
      host: "www.example.com", time: "2026-01-24T01:37:00+00:00", target: "/a", agent: "curl/8"),
    FormatExample(
      format: "envoy-json",
      line:
        #"{"@timestamp":"2026-01-24T01:37:00.000Z","authority":"www.example.com","method":"GET","x-envoy-original-path":"-","path":"/a","response_code":200,"user_agent":"curl/8"}"#,
      host: "www.example.com", time: "2026-01-24T01:37:00+00:00", target: "/a", agent: "curl/8"),
    FormatExample(
      format: "gcp-lb",
      line:
        #"{"protoPayload":{"method":"GET","resource":"/a?b","status":200,"userAgent":"curl/8","host":"www.example.com"},"httpRequest":{"status":200},"timestamp":"2020-06-08T23:41:30.078651Z"}"#,
      host: "www.example.com", time: "2020-06-08T23:41:30+00:00", target: "/a?b", agent: "curl/8"),
    FormatExample(
      format: "fastly",
      line:
        #"{"service_version":"3","time_start":"2021-11-12T16:59:45+0000","request":"POST","host":"www.example.com","url":"/a","request_user_agent":"curl/8","status":"200"}"#,
      host: "www.example.com", time: "2021-11-12T16:59:45+00:00", method: "POST", target: "/a",
      agent: "curl/8"),
    FormatExample(
      format: "nginx-json",
      line:
        #"{"message":"192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] \"GET /a HTTP/1.1\" 200 5 \"-\" \"curl/8\"","path":"/var/log/nginx/access.log","host":"web1"}"#,
      time: "2000-10-10T13:55:36-07:00", target: "/a", agent: "curl/8"),
    FormatExample(
      format: "nginx-json",
      line:
        #"{"stream":"stdout","log":{"time_iso8601":"2026-11-19T08:00:01+01:00","http_host":"www.example.com","request_uri":"/a","request_method":"POST","status":200}}"#,
      host: "www.example.com", time: "2026-11-19T08:00:01+01:00", method: "POST", target: "/a"),
    FormatExample(
      format: "nginx-json",
      line:
        #"{"path":"/var/log/nginx/access.log","timestamp":"10/Oct/2000:13:55:36 -0700","verb":"GET","request":"/a?b","response":"200","agent":"curl/8"}"#,
      time: "2000-10-10T13:55:36-07:00", target: "/a?b", agent: "curl/8"),
    FormatExample(
      format: "nginx-json",
      line:
        #"{"ts":"2026-11-19T08:00:01+01:00","uri":"/index.php","request":"POST /a?b HTTP/1.1","status":200,"host":"www.example.com"}"#,
      host: "www.example.com", time: "2026-11-19T08:00:01+01:00", method: "POST", target: "/a?b"),
    FormatExample(
      format: "azure-appgw",
      line:
        #"{"time":"2026-11-19T08:00:01Z","category":"AppServiceHTTPLogs","properties":{"CsMethod":"GET","CsUriStem":"/a","CsUriQuery":"x=1","UserAgent":"curl/8","ScStatus":200,"CsHost":"www.example.com"}}"#,
      host: "www.example.com", time: "2026-11-19T08:00:01+00:00", target: "/a?x=1", agent: "curl/8"),
    FormatExample(
      format: "azure-appgw",
      line:
        #"{"records":[{"time":"2026-11-19T08:00:01.123Z","category":"FrontDoorAccessLog","properties":{"httpMethod":"GET","requestUri":"https://www.example.com/a?x=1","userAgent":"curl/8","httpStatusCode":"200","hostName":"www.example.com"}}]}"#,
      host: "www.example.com", time: "2026-11-19T08:00:01+00:00",
      target: "https://www.example.com/a?x=1", agent: "curl/8"),
    FormatExample(
      format: "nginx-json",
      line:
        #"{"clientip":"192.0.2.1","timestamp":"10/Oct/2000:13:55:36 -0700","verb":"GET","request":"/a","response":"200","referrer":"\"https://www.example.com/\"","agent":"\"Mozilla/5.0 (iPhone; \\\"x\\\")\""}"#,
      time: "2000-10-10T13:55:36-07:00", target: "/a", referrer: "https://www.example.com/",
      agent: #"Mozilla/5.0 (iPhone; \"x\")"#),
    FormatExample(
      format: "nginx-json",
      line:
        #"{"verb":"GET","request":"/a","response":"200","referrer":"\"-\"","agent":"\"\""}"#,
      target: "/a"),
    FormatExample(
      format: "nginx-json",
      line:
        #"{"request":{"querystring":{},"size":80,"uri":"/a?b","url":"http://www.example.com:8000/a?b","headers":{"host":"www.example.com","user-agent":"curl/8","referer":"https://a.example/"},"method":"GET"},"response":{"status":200,"size":934,"headers":{"via":"1.1 kong/3.8.0"}},"latencies":{"proxy":1},"tries":[{"port":80,"ip":"192.0.2.9"},{"port":80,"ip":"192.0.2.8"}],"client_ip":"192.0.2.1","started_at":1726783839000}"#,
      host: "www.example.com", time: "2024-09-19T22:10:39+00:00", target: "/a?b",
      referrer: "https://a.example/", agent: "curl/8"),
    FormatExample(
      format: "nginx-json",
      line:
        #"{"messageType":"DATA_MESSAGE","logGroup":"web","logEvents":[{"id":"1","timestamp":1726783839000,"message":"192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] \"GET /a HTTP/1.1\" 200 5 \"-\" \"curl/8\""}]}"#,
      time: "2000-10-10T13:55:36-07:00", target: "/a", agent: "curl/8"),
    FormatExample(
      format: "akamai",
      line:
        #"{"reqTimeSec":"1573840000","reqMethod":"GET","reqHost":"www.example.com","reqPath":"/a","statusCode":"200","UA":"Mozilla%2F5.0%20(iPhone)","referer":"https%3A%2F%2Fwww.example.com%2Fb%3Fc%3D%2525"}"#,
      host: "www.example.com", time: "2019-11-15T17:46:40+00:00", target: "/a",
      referrer: "https://www.example.com/b?c=%25", agent: "Mozilla/5.0 (iPhone)"),
    FormatExample(
      format: "logfmt",
      line:
        #"<158>1 2026-11-19T08:00:01.123456+00:00 host heroku router - at=error code=H12 desc="Request timeout" method=POST path="/a?b=c=d" host=www.example.com request_id=1 fwd="192.0.2.1" dyno=web.1 connect=0ms service=30000ms status=503 bytes=0 protocol=https"#,
      host: "www.example.com", time: "2026-11-19T08:00:01+00:00", method: "POST",
      target: "/a?b=c=d", status: 503),
    FormatExample(
      format: "logfmt",
      line:
        #"time=[10/Oct/2000:13:55:36 -0700] client=192.0.2.1 request="GET /a HTTP/1.1" status=200 host=www.example.com referer="https://www.example.com/" user_agent="say \"hi\" x=1""#,
      host: "www.example.com", time: "2000-10-10T13:55:36-07:00", target: "/a",
      referrer: "https://www.example.com/", agent: #"say "hi" x=1"#),
    FormatExample(
      format: "ltsv",
      line:
        "time:2026-11-19T08:00:01+00:00\tmethod:GET\turi:/a\tquery:b=1\tstatus:200\tsize:5\treferer:-\tua:\"curl/8\"\tx-forwarded-for:192.0.2.1",
      time: "2026-11-19T08:00:01+00:00", target: "/a?b=1", agent: "curl/8"),
  ]
}
