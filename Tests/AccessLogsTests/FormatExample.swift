@testable import AccessLogs

/// A line of a format, and its meaning.
struct FormatExample: CustomStringConvertible, Sendable {
  var format: String

  /// Lines that must precede it.
  var heading = ""
  var line: String

  var host: String?
  var time: String?
  var method = "GET"
  var target: String
  var status = 200
  var referrer: String?
  var agent: String?

  var description: String { "\(format): \(target)" }

  static let phone =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1"

  static let all = usual + variants

  private static let usual: [FormatExample] = [
    FormatExample(
      format: "combined",
      line:
        #"192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a?b=1 HTTP/1.1" 200 5 "https://www.example.com/" "\#(phone)""#,
      time: "2000-10-10T13:55:36-07:00", target: "/a?b=1", referrer: "https://www.example.com/",
      agent: phone),
    FormatExample(
      format: "common",
      line: #"192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "HEAD /a HTTP/1.1" 304 -"#,
      time: "2000-10-10T13:55:36-07:00", method: "HEAD", target: "/a", status: 304),
    FormatExample(
      format: "vcombined",
      line:
        #"www.example.com:443 192.0.2.1 - - [10/Oct/2000:13:55:36 +0000] "GET /a HTTP/2.0" 200 5 "-" "curl/8""#,
      host: "www.example.com:443", time: "2000-10-10T13:55:36+00:00", target: "/a",
      agent: "curl/8"),
    FormatExample(
      format: "vcommon",
      line: #"www.example.com 192.0.2.1 - - [10/Oct/2000:13:55:36 +0000] "GET /a HTTP/1.1" 200 5"#,
      host: "www.example.com", time: "2000-10-10T13:55:36+00:00", target: "/a"),
    FormatExample(
      format: "lighttpd",
      line:
        #"192.0.2.1 www.example.com - [10/Oct/2000:13:55:36 +0000] "GET /a HTTP/1.1" 200 5 "-" "curl/8""#,
      host: "www.example.com", time: "2000-10-10T13:55:36+00:00", target: "/a", agent: "curl/8"),
    FormatExample(
      format: "w3c",
      heading:
        "#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port c-ip cs(User-Agent) cs(Referer) cs-host sc-status\n",
      line:
        "2026-11-19 08:00:01 192.0.2.9 GET /a/b q=1&r=2 443 192.0.2.1 Mozilla/5.0+(iPhone) https://www.example.com/x www.example.com 404",
      host: "www.example.com", time: "2026-11-19T08:00:01+00:00", target: "/a/b?q=1&r=2",
      status: 404, referrer: "https://www.example.com/x", agent: "Mozilla/5.0 (iPhone)"),
    FormatExample(
      format: "w3c", heading: "#Date: 2026-11-19 00:00:00\n#Fields: time cs-uri-stem sc-status\n",
      line: "08:00:01 /only/this 200", time: "2026-11-19T08:00:01+00:00", target: "/only/this"),
    FormatExample(
      format: "cloudfront",
      heading:
        "#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header\n",
      line:
        "2026-11-19\t08:00:01\tFRA2\t182\t192.0.2.1\tGET\td1.cloudfront.net\t/a\t200\thttps://www.example.com/\tMozilla/5.0%2520(iPhone;%20x)\tq=1\t-\tMiss\tabc==\twww.example.com",
      host: "www.example.com", time: "2026-11-19T08:00:01+00:00", target: "/a?q=1",
      referrer: "https://www.example.com/", agent: "Mozilla/5.0 (iPhone; x)"),
    FormatExample(
      format: "awsalb",
      line:
        #"h2 2026-11-19T08:00:01.186641Z app/x/1 192.0.2.1:4 10.0.0.1:80 0.0 0.0 0.0 200 200 0 57 "GET https://www.example.com:443/a?b HTTP/2.0" "\#(phone)" ECDHE TLSv1.2 arn:aws:x "Root=1-5" "www.example.com" "arn:aws:y" 1 2026-11-19T08:00:00.0Z "forward" "-" "-" "10.0.0.1:80" "200" "-" "-""#,
      host: "www.example.com", time: "2026-11-19T08:00:01+00:00",
      target: "https://www.example.com:443/a?b", agent: phone),
    FormatExample(
      format: "awselb",
      line:
        #"2026-11-19T08:00:01.945958Z my-lb 192.0.2.1:2817 10.0.0.1:80 0.0 0.0 0.0 200 200 0 57 "GET https://www.example.com:443/a HTTP/1.1" "curl/8" DHE TLSv1.2"#,
      time: "2026-11-19T08:00:01+00:00", target: "https://www.example.com:443/a", agent: "curl/8"),
    FormatExample(
      format: "awss3",
      line:
        #"36c1f05b76016b78528454e6e0c60e2b7ff7aa20c0a5e4c748276e5b0a2debd2 bucket [01/Aug/2019:00:24:41 +0000] 192.0.2.1 - 44EE86 WEBSITE.GET.OBJECT a "GET /a HTTP/1.1" 200 - 142 - 17 - "https://www.example.com/" "say "hi", you" - Bs= - - - www.example.com TLSv1.2"#,
      host: "www.example.com", time: "2019-08-01T00:24:41+00:00", target: "/a",
      referrer: "https://www.example.com/", agent: #"say "hi", you"#),
    FormatExample(
      format: "cloudstorage",
      heading:
        #""time_micros","c_ip","c_ip_type","c_ip_region","cs_method","cs_uri","sc_status","cs_bytes","sc_bytes","time_taken_micros","cs_host","cs_referer","cs_user_agent""#
        + "\n",
      line:
        #""1734524400000000","192.0.2.1","1","","GET","/a","200","0","24","12","www.example.com","https://www.example.com/x, y","say ""hi""""#,
      host: "www.example.com", time: "2024-12-18T12:20:00+00:00", target: "/a",
      referrer: "https://www.example.com/x, y", agent: #"say "hi""#),
    FormatExample(
      format: "squid",
      line:
        "1286536309.586    921 192.0.2.1 TCP_MISS/200 507 GET http://www.example.com/a - DIRECT/192.0.2.2 text/html",
      time: "2010-10-08T11:11:49+00:00", target: "http://www.example.com/a"),
    FormatExample(
      format: "caddy",
      line:
        #"{"level":"info","ts":1693840791.7564995,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"192.0.2.1","proto":"HTTP/2.0","method":"GET","host":"www.example.com","uri":"/a?x=\u0026\"","headers":{"Referer":["https://www.example.com/"],"User-Agent":["curl/8"]}},"duration":0.1,"size":0,"status":200,"resp_headers":{"Server":["Caddy"]}}"#,
      host: "www.example.com", time: "2023-09-04T15:19:51+00:00", target: "/a?x=&\"",
      referrer: "https://www.example.com/", agent: "curl/8"),
    FormatExample(
      format: "traefik",
      line:
        #"{"ClientHost":"192.0.2.1","DownstreamStatus":200,"OriginStatus":0,"RequestAddr":"www.example.com","RequestHost":"www.example.com","RequestMethod":"GET","RequestPath":"/a?b","StartUTC":"2026-11-19T08:00:01.1Z","request_User-Agent":"curl/8","request_Referer":"https://a.example/","time":"2026-11-19T08:00:09Z"}"#,
      host: "www.example.com", time: "2026-11-19T08:00:01+00:00", target: "/a?b",
      referrer: "https://a.example/", agent: "curl/8"),
    FormatExample(
      format: "traefik",
      line:
        #"192.0.2.1 - - [10/Oct/2000:13:55:36 +0000] "GET /a HTTP/1.1" 200 414 "-" "curl/8" 500 "web@docker" "http://192.0.2.3:80" 12ms"#,
      time: "2000-10-10T13:55:36+00:00", target: "/a", agent: "curl/8"),
    FormatExample(
      format: "haproxy",
      line:
        #"Nov 19 08:00:01 lb haproxy[1]: 192.0.2.1:5000 [19/Nov/2026:08:00:01.584] web~ app/a1 0/0/0/72/72 200 7456 - - ---- 5/4/0/1/0 0/0 {www.example.com|\#(phone)|https://www.example.com/} {} "GET /a HTTP/1.1""#,
      host: "www.example.com", time: "2026-11-19T08:00:01+00:00", target: "/a",
      referrer: "https://www.example.com/", agent: phone),
    FormatExample(
      format: "envoy-json",
      line:
        #"2025-12-31T17:37:40.49+01:00 stdout F {":authority":"www.example.com","method":"GET","x-envoy-origin-path":"/a","response_code":200,"start_time":"2025-12-31T16:37:40.479Z","user-agent":"curl/8","x-request-id":null}"#,
      host: "www.example.com", time: "2025-12-31T16:37:40+00:00", target: "/a", agent: "curl/8"),
    FormatExample(
      format: "envoy-json",
      line:
        #"[2026-01-24T01:37:00.000Z] "GET /a HTTP/1.1" 200 - 0 512 30 15 "192.0.2.1, 192.0.2.2" "curl/8" "id" "www.example.com" "tcp://192.0.2.3:80""#,
      host: "www.example.com", time: "2026-01-24T01:37:00+00:00", target: "/a", agent: "curl/8"),
    FormatExample(
      format: "gcp-lb",
      line:
        #"{"httpRequest":{"requestMethod":"GET","requestUrl":"https://www.example.com/a","status":200,"userAgent":"curl/8","referer":"https://a.example/"},"timestamp":"2020-06-08T23:41:30.078651Z"}"#,
      time: "2020-06-08T23:41:30+00:00", target: "https://www.example.com/a",
      referrer: "https://a.example/", agent: "curl/8"),
    FormatExample(
      format: "cloudflare",
      line:
        #"{"ClientRequestHost":"www.example.com","ClientRequestMethod":"GET","ClientRequestURI":"/a?b","ClientRequestPath":"/a","ClientRequestUserAgent":"curl/8","ClientRequestReferer":"","EdgeResponseStatus":200,"EdgeStartTimestamp":1712790000100000000}"#,
      host: "www.example.com", time: "2024-04-10T23:00:00+00:00", target: "/a?b", agent: "curl/8"),
    FormatExample(
      format: "fastly",
      line:
        #"<134>2021-11-12T16:59:46Z cache-fra1 fastly[1]: { "timestamp": "2021-11-12T16:59:45+0000", "host": "www.example.com", "url": "/a", "request_method": "GET", "request_referer": "", "request_user_agent": "curl/8", "response_status": 200, "fastly_is_edge": true }"#,
      host: "www.example.com", time: "2021-11-12T16:59:45+00:00", target: "/a", agent: "curl/8"),
    FormatExample(
      format: "nginx-json",
      line:
        #"{"time_iso8601":"2026-11-19T08:00:01+01:00","http_host":"www.example.com","request":"GET /a\x22 HTTP/1.1","status":"200","bytes":,"http_referrer":"-","http_user_agent":"curl/8"}"#,
      host: "www.example.com", time: "2026-11-19T08:00:01+01:00", target: "/a\"", agent: "curl/8"),
    FormatExample(
      format: "nginx-json",
      line:
        #"{"log":"{\"time_iso8601\":\"2026-11-19T08:00:01+01:00\",\"host\":\"www.example.com\",\"request_uri\":\"/a?\\\"\",\"request_method\":\"GET\",\"status\":200}\n","stream":"stdout"}"#,
      host: "www.example.com", time: "2026-11-19T08:00:01+01:00", target: "/a?\""),
    FormatExample(
      format: "azure-appgw",
      line:
        #"{"timeStamp":"2026-11-19T08:00:01Z","properties":{"httpMethod":"GET","requestUri":"/a","requestQuery":"x=1","userAgent":"curl/8","httpStatus":200,"host":"www.example.com"}}"#,
      host: "www.example.com", time: "2026-11-19T08:00:01+00:00", target: "/a?x=1", agent: "curl/8"),
    FormatExample(
      format: "vercel",
      line:
        #"{"id":"1573817250283254651097202070","deploymentId":"dpl_1","source":"lambda","host":"my-app-abc123.vercel.app","timestamp":1573817250283,"level":"info","message":"API request processed","entrypoint":"api/index.js","statusCode":200,"path":"/api/[id]","proxy":{"timestamp":1573817250172,"method":"GET","host":"www.example.com","path":"/api/users?page=1","userAgent":["\#(phone)"],"referer":"https://www.example.com/","region":"sfo1","statusCode":200,"clientIp":"192.0.2.1","scheme":"https","vercelCache":"MISS"}}"#,
      host: "www.example.com", time: "2019-11-15T11:27:30+00:00", target: "/api/users?page=1",
      referrer: "https://www.example.com/", agent: phone),
    FormatExample(
      format: "akamai",
      line:
        #"{"version":1,"cp":"123456","reqId":"1239f220","reqTimeSec":"1573840000.123","bytes":"4995","cliIP":"192.0.2.1","statusCode":"206","proto":"HTTPS","reqHost":"www.example.com","reqMethod":"GET","reqPath":"/path1/file.ext","queryStr":"a=b","reqPort":"443","UA":"Mozilla%2F5.0%20(Macintosh;%20Intel%20Mac%20OS%20X)","referer":"https%3A%2F%2Fwww.example.com%2Fen","cookie":"c"}"#,
      host: "www.example.com", time: "2019-11-15T17:46:40+00:00", target: "/path1/file.ext?a=b",
      status: 206, referrer: "https://www.example.com/en",
      agent: "Mozilla/5.0 (Macintosh; Intel Mac OS X)"),
    FormatExample(
      format: "pino",
      line:
        #"{"level":30,"time":1573817250283,"pid":1,"hostname":"web-7d4b9","req":{"id":1,"method":"GET","url":"/a?b","query":{},"headers":{"host":"www.example.com","user-agent":"curl/8","referer":"https://a.example/"},"remoteAddress":"192.0.2.1"},"res":{"statusCode":200,"headers":{}},"responseTime":3,"msg":"request completed"}"#,
      host: "www.example.com", time: "2019-11-15T11:27:30+00:00", target: "/a?b",
      referrer: "https://a.example/", agent: "curl/8"),
    FormatExample(
      format: "pino",
      line:
        #"{"level":30,"time":1573817250283,"hostname":"web-7d4b9","req":{"method":"GET","url":"/a"},"res":{"statusCode":304}}"#,
      time: "2019-11-15T11:27:30+00:00", target: "/a", status: 304),
    FormatExample(
      format: "logfmt",
      line:
        #"2026-11-19T08:00:01.123456+00:00 heroku[router]: at=info method=GET path="/a?b=1" host=www.example.com request_id=8601b555-6a83-4c12-8269-97c8e32cdb22 fwd="192.0.2.1" dyno=web.1 connect=1ms service=18ms status=200 bytes=13 protocol=https"#,
      host: "www.example.com", time: "2026-11-19T08:00:01+00:00", target: "/a?b=1"),
    FormatExample(
      format: "ltsv",
      line:
        "host:192.0.2.1\tident:-\tuser:-\ttime:[10/Oct/2000:13:55:36 -0700]\treq:GET /a?b HTTP/1.1\tstatus:200\tsize:2326\treferer:https://www.example.com/\tua:\(phone)\tvhost:www.example.com",
      host: "www.example.com", time: "2000-10-10T13:55:36-07:00", target: "/a?b",
      referrer: "https://www.example.com/", agent: phone),
    FormatExample(
      format: "bunny",
      line:
        "HIT|200|1507167062421|412|390|192.0.2.1|https://www.example.com/|https://files.example.com/a.mp4?b|WA|\(phone)|322b688bd63fb63f2babe9de30a5d262|DE",
      time: "2017-10-05T01:31:02+00:00", target: "https://files.example.com/a.mp4?b",
      referrer: "https://www.example.com/", agent: phone),
    FormatExample(
      format: "alibaba-cdn",
      line:
        #"[9/Jun/2015:01:58:09 +0800] 192.0.2.1 - 1542 "https://www.example.com/" "GET http://www.example.com/index.html?a" 200 191 2830 MISS "Mozilla/5.0 (compatible; x)" "text/html""#,
      time: "2015-06-09T01:58:09+08:00", target: "http://www.example.com/index.html?a",
      referrer: "https://www.example.com/", agent: "Mozilla/5.0 (compatible; x)"),
    FormatExample(
      format: "huawei-cdn",
      line:
        #"[05/Feb/2018:07:54:52 +0800] 192.0.2.1 1 "-" "HTTP/1.1" "GET" "www.example.com" "/test/1234.apk" 206 720 HIT "Mozilla/5.0 (Linux; U; Android 6.0)" "bytes=-256""#,
      host: "www.example.com", time: "2018-02-05T07:54:52+08:00", target: "/test/1234.apk",
      status: 206, agent: "Mozilla/5.0 (Linux; U; Android 6.0)"),
    FormatExample(
      format: "iis",
      line:
        "192.0.2.1, -, 03/20/01, 7:55:20, W3SVC2, SERVER, 192.0.2.9, 4502, 163, 3223, 200, 0, GET, /a, q=1,",
      time: "2001-03-20T07:55:20+00:00", target: "/a?q=1"),
    FormatExample(
      format: "nginx-proxy-manager",
      line:
        #"[10/Oct/2000:13:55:36 +0000] - 200 200 - GET https www.example.com "/a" [Client 192.0.2.1] [Length 1] [Gzip -] [Sent-to 192.0.2.2] "curl/8" "-""#,
      host: "www.example.com", time: "2000-10-10T13:55:36+00:00", target: "/a", agent: "curl/8"),
    FormatExample(
      format: "zoraxy",
      line:
        "2025/05/01 07:57:03 [2025-05-01 07:57:03.150624] [router:host-http] [origin:www.example.com] [client: 192.0.2.1] [useragent: curl/8] GET /a 200",
      host: "www.example.com", time: "2025-05-01T07:57:03+00:00", target: "/a", agent: "curl/8"),
  ]
}
