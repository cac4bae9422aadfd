/// A line of a format, and its meaning.
package struct FormatExample: CustomStringConvertible, Sendable {
  package var format: String

  /// Lines that must precede it.
  package var heading: String
  package var line: String

  package var method: String
  package var target: String
  package var status: Int?
  package var time: String?
  package var host: String?
  package var referrer: String?
  package var agent: String?

  package var description: String { "\(format): \(target)" }

  /// Reads a table of examples.
  ///
  /// Each is `FORMAT: LINE`, where lines of a heading may precede the last one, and its fields, as
  /// far as it has them, in the next line: `  = METHOD TARGET STATUS at TIME on HOST from REFERRER by
  /// AGENT`.
  package static func table(_ text: String) -> [FormatExample] {
    let fields =
      #/  = ([A-Z]+) (.+?) ([0-9]+)(?: at (.+?))?(?: on (.+?))?(?: from (.+?))?(?: by (.+))?/#
    var examples: [FormatExample] = []
    var lines: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      guard let found = line.wholeMatch(of: fields)?.output else {
        lines.append(String(line))
        continue
      }
      let parts = lines.joined(separator: "\n").split(separator: ": ", maxSplits: 1)
      lines = parts[1].split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      let last = lines.removeLast()
      var example = FormatExample(
        format: String(parts[0]), heading: lines.map { $0 + "\n" }.joined(), line: last,
        method: String(found.1), target: String(found.2), status: Int(found.3))
      (example.time, example.host) = (found.4.map { String($0) }, found.5.map { String($0) })
      (example.referrer, example.agent) = (found.6.map { String($0) }, found.7.map { String($0) })
      examples.append(example)
      lines = []
    }
    precondition(lines.isEmpty, "no fields: \(lines)")
    return examples
  }

  package static let phone =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1"

  /// Lines of each format, and then others that some servers and collectors write.
  package static let all = table(
    #"""
    combined: 192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a?b=1 HTTP/1.1" 200 5 "https://www.example.com/" "\#(phone)"
      = GET /a?b=1 200 at 2000-10-10T13:55:36-07:00 from https://www.example.com/ by \#(phone)
    common: 192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "HEAD /a HTTP/1.1" 304 -
      = HEAD /a 304 at 2000-10-10T13:55:36-07:00
    vcombined: www.example.com:443 192.0.2.1 - - [10/Oct/2000:13:55:36 +0000] "GET /a HTTP/2.0" 200 5 "-" "curl/8"
      = GET /a 200 at 2000-10-10T13:55:36+00:00 on www.example.com:443 by curl/8
    vcommon: www.example.com 192.0.2.1 - - [10/Oct/2000:13:55:36 +0000] "GET /a HTTP/1.1" 200 5
      = GET /a 200 at 2000-10-10T13:55:36+00:00 on www.example.com
    lighttpd: 192.0.2.1 www.example.com - [10/Oct/2000:13:55:36 +0000] "GET /a HTTP/1.1" 200 5 "-" "curl/8"
      = GET /a 200 at 2000-10-10T13:55:36+00:00 on www.example.com by curl/8
    w3c: #Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port c-ip cs(User-Agent) cs(Referer) cs-host sc-status
    2026-11-19 08:00:01 192.0.2.9 GET /a/b q=1&r=2 443 192.0.2.1 Mozilla/5.0+(iPhone) https://www.example.com/x www.example.com 404
      = GET /a/b?q=1&r=2 404 at 2026-11-19T08:00:01+00:00 on www.example.com from https://www.example.com/x by Mozilla/5.0 (iPhone)
    w3c: #Date: 2026-11-19 00:00:00
    #Fields: time cs-uri-stem sc-status
    08:00:01 /only/this 200
      = GET /only/this 200 at 2026-11-19T08:00:01+00:00
    cloudfront: #Version: 1.0
    #Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header
    2026-11-19\#t08:00:01\#tFRA2\#t182\#t192.0.2.1\#tGET\#td1.cloudfront.net\#t/a\#t200\#thttps://www.example.com/\#tMozilla/5.0%2520(iPhone;%20x)\#tq=1\#t-\#tMiss\#tabc==\#twww.example.com
      = GET /a?q=1 200 at 2026-11-19T08:00:01+00:00 on www.example.com from https://www.example.com/ by Mozilla/5.0 (iPhone; x)
    awsalb: h2 2026-11-19T08:00:01.186641Z app/x/1 192.0.2.1:4 10.0.0.1:80 0.0 0.0 0.0 200 200 0 57 "GET https://www.example.com:443/a?b HTTP/2.0" "\#(phone)" ECDHE TLSv1.2 arn:aws:x "Root=1-5" "www.example.com" "arn:aws:y" 1 2026-11-19T08:00:00.0Z "forward" "-" "-" "10.0.0.1:80" "200" "-" "-"
      = GET https://www.example.com:443/a?b 200 at 2026-11-19T08:00:01+00:00 on www.example.com by \#(phone)
    awselb: 2026-11-19T08:00:01.945958Z my-lb 192.0.2.1:2817 10.0.0.1:80 0.0 0.0 0.0 200 200 0 57 "GET https://www.example.com:443/a HTTP/1.1" "curl/8" DHE TLSv1.2
      = GET https://www.example.com:443/a 200 at 2026-11-19T08:00:01+00:00 by curl/8
    awss3: 36c1f05b76016b78528454e6e0c60e2b7ff7aa20c0a5e4c748276e5b0a2debd2 bucket [01/Aug/2019:00:24:41 +0000] 192.0.2.1 - 44EE86 WEBSITE.GET.OBJECT a "GET /a HTTP/1.1" 200 - 142 - 17 - "https://www.example.com/" "say "hi", you" - Bs= - - - www.example.com TLSv1.2
      = GET /a 200 at 2019-08-01T00:24:41+00:00 on www.example.com from https://www.example.com/ by say "hi", you
    cloudstorage: "time_micros","c_ip","c_ip_type","c_ip_region","cs_method","cs_uri","sc_status","cs_bytes","sc_bytes","time_taken_micros","cs_host","cs_referer","cs_user_agent"
    "1734524400000000","192.0.2.1","1","","GET","/a","200","0","24","12","www.example.com","https://www.example.com/x, y","say ""hi"""
      = GET /a 200 at 2024-12-18T12:20:00+00:00 on www.example.com from https://www.example.com/x, y by say "hi"
    squid: 1286536309.586    921 192.0.2.1 TCP_MISS/200 507 GET http://www.example.com/a - DIRECT/192.0.2.2 text/html
      = GET http://www.example.com/a 200 at 2010-10-08T11:11:49+00:00
    caddy: {"level":"info","ts":1693840791.7564995,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"192.0.2.1","proto":"HTTP/2.0","method":"GET","host":"www.example.com","uri":"/a?x=\u0026\"","headers":{"Referer":["https://www.example.com/"],"User-Agent":["curl/8"]}},"duration":0.1,"size":0,"status":200,"resp_headers":{"Server":["Caddy"]}}
      = GET /a?x=&" 200 at 2023-09-04T15:19:51+00:00 on www.example.com from https://www.example.com/ by curl/8
    traefik: {"ClientHost":"192.0.2.1","DownstreamStatus":200,"OriginStatus":0,"RequestAddr":"www.example.com","RequestHost":"www.example.com","RequestMethod":"GET","RequestPath":"/a?b","StartUTC":"2026-11-19T08:00:01.1Z","request_User-Agent":"curl/8","request_Referer":"https://a.example/","time":"2026-11-19T08:00:09Z"}
      = GET /a?b 200 at 2026-11-19T08:00:01+00:00 on www.example.com from https://a.example/ by curl/8
    traefik: 192.0.2.1 - - [10/Oct/2000:13:55:36 +0000] "GET /a HTTP/1.1" 200 414 "-" "curl/8" 500 "web@docker" "http://192.0.2.3:80" 12ms
      = GET /a 200 at 2000-10-10T13:55:36+00:00 by curl/8
    haproxy: Nov 19 08:00:01 lb haproxy[1]: 192.0.2.1:5000 [19/Nov/2026:08:00:01.584] web~ app/a1 0/0/0/72/72 200 7456 - - ---- 5/4/0/1/0 0/0 {www.example.com|\#(phone)|https://www.example.com/} {} "GET /a HTTP/1.1"
      = GET /a 200 at 2026-11-19T08:00:01+00:00 on www.example.com from https://www.example.com/ by \#(phone)
    envoy-json: 2025-12-31T17:37:40.49+01:00 stdout F {":authority":"www.example.com","method":"GET","x-envoy-origin-path":"/a","response_code":200,"start_time":"2025-12-31T16:37:40.479Z","user-agent":"curl/8","x-request-id":null}
      = GET /a 200 at 2025-12-31T16:37:40+00:00 on www.example.com by curl/8
    envoy-json: [2026-01-24T01:37:00.000Z] "GET /a HTTP/1.1" 200 - 0 512 30 15 "192.0.2.1, 192.0.2.2" "curl/8" "id" "www.example.com" "tcp://192.0.2.3:80"
      = GET /a 200 at 2026-01-24T01:37:00+00:00 on www.example.com by curl/8
    gcp-lb: {"httpRequest":{"requestMethod":"GET","requestUrl":"https://www.example.com/a","status":200,"userAgent":"curl/8","referer":"https://a.example/"},"timestamp":"2020-06-08T23:41:30.078651Z"}
      = GET https://www.example.com/a 200 at 2020-06-08T23:41:30+00:00 from https://a.example/ by curl/8
    cloudflare: {"ClientRequestHost":"www.example.com","ClientRequestMethod":"GET","ClientRequestURI":"/a?b","ClientRequestPath":"/a","ClientRequestUserAgent":"curl/8","ClientRequestReferer":"","EdgeResponseStatus":200,"EdgeStartTimestamp":1712790000100000000}
      = GET /a?b 200 at 2024-04-10T23:00:00+00:00 on www.example.com by curl/8
    fastly: <134>2021-11-12T16:59:46Z cache-fra1 fastly[1]: { "timestamp": "2021-11-12T16:59:45+0000", "host": "www.example.com", "url": "/a", "request_method": "GET", "request_referer": "", "request_user_agent": "curl/8", "response_status": 200, "fastly_is_edge": true }
      = GET /a 200 at 2021-11-12T16:59:45+00:00 on www.example.com by curl/8
    nginx-json: {"time_iso8601":"2026-11-19T08:00:01+01:00","http_host":"www.example.com","request":"GET /a\x22 HTTP/1.1","status":"200","bytes":,"http_referrer":"-","http_user_agent":"curl/8"}
      = GET /a" 200 at 2026-11-19T08:00:01+01:00 on www.example.com by curl/8
    nginx-json: {"log":"{\"time_iso8601\":\"2026-11-19T08:00:01+01:00\",\"host\":\"www.example.com\",\"request_uri\":\"/a?\\\"\",\"request_method\":\"GET\",\"status\":200}\n","stream":"stdout"}
      = GET /a?" 200 at 2026-11-19T08:00:01+01:00 on www.example.com
    azure-appgw: {"timeStamp":"2026-11-19T08:00:01Z","properties":{"httpMethod":"GET","requestUri":"/a","requestQuery":"x=1","userAgent":"curl/8","httpStatus":200,"host":"www.example.com"}}
      = GET /a?x=1 200 at 2026-11-19T08:00:01+00:00 on www.example.com by curl/8
    vercel: {"id":"1573817250283254651097202070","deploymentId":"dpl_1","source":"lambda","host":"my-app-abc123.vercel.app","timestamp":1573817250283,"level":"info","message":"API request processed","entrypoint":"api/index.js","statusCode":200,"path":"/api/[id]","proxy":{"timestamp":1573817250172,"method":"GET","host":"www.example.com","path":"/api/users?page=1","userAgent":["\#(phone)"],"referer":"https://www.example.com/","region":"sfo1","statusCode":200,"clientIp":"192.0.2.1","scheme":"https","vercelCache":"MISS"}}
      = GET /api/users?page=1 200 at 2019-11-15T11:27:30+00:00 on www.example.com from https://www.example.com/ by \#(phone)
    akamai: {"version":1,"cp":"123456","reqId":"1239f220","reqTimeSec":"1573840000.123","bytes":"4995","cliIP":"192.0.2.1","statusCode":"206","proto":"HTTPS","reqHost":"www.example.com","reqMethod":"GET","reqPath":"/path1/file.ext","queryStr":"a=b","reqPort":"443","UA":"Mozilla%2F5.0%20(Macintosh;%20Intel%20Mac%20OS%20X)","referer":"https%3A%2F%2Fwww.example.com%2Fen","cookie":"c"}
      = GET /path1/file.ext?a=b 206 at 2019-11-15T17:46:40+00:00 on www.example.com from https://www.example.com/en by Mozilla/5.0 (Macintosh; Intel Mac OS X)
    pino: {"level":30,"time":1573817250283,"pid":1,"hostname":"web-7d4b9","req":{"id":1,"method":"GET","url":"/a?b","query":{},"headers":{"host":"www.example.com","user-agent":"curl/8","referer":"https://a.example/"},"remoteAddress":"192.0.2.1"},"res":{"statusCode":200,"headers":{}},"responseTime":3,"msg":"request completed"}
      = GET /a?b 200 at 2019-11-15T11:27:30+00:00 on www.example.com from https://a.example/ by curl/8
    pino: {"level":30,"time":1573817250283,"hostname":"web-7d4b9","req":{"method":"GET","url":"/a"},"res":{"statusCode":304}}
      = GET /a 304 at 2019-11-15T11:27:30+00:00
    logfmt: 2026-11-19T08:00:01.123456+00:00 heroku[router]: at=info method=GET path="/a?b=1" host=www.example.com request_id=8601b555-6a83-4c12-8269-97c8e32cdb22 fwd="192.0.2.1" dyno=web.1 connect=1ms service=18ms status=200 bytes=13 protocol=https
      = GET /a?b=1 200 at 2026-11-19T08:00:01+00:00 on www.example.com
    ltsv: host:192.0.2.1\#tident:-\#tuser:-\#ttime:[10/Oct/2000:13:55:36 -0700]\#treq:GET /a?b HTTP/1.1\#tstatus:200\#tsize:2326\#treferer:https://www.example.com/\#tua:\#(phone)\#tvhost:www.example.com
      = GET /a?b 200 at 2000-10-10T13:55:36-07:00 on www.example.com from https://www.example.com/ by \#(phone)
    bunny: HIT|200|1507167062421|412|390|192.0.2.1|https://www.example.com/|https://files.example.com/a.mp4?b|WA|\#(phone)|322b688bd63fb63f2babe9de30a5d262|DE
      = GET https://files.example.com/a.mp4?b 200 at 2017-10-05T01:31:02+00:00 from https://www.example.com/ by \#(phone)
    alibaba-cdn: [9/Jun/2015:01:58:09 +0800] 192.0.2.1 - 1542 "https://www.example.com/" "GET http://www.example.com/index.html?a" 200 191 2830 MISS "Mozilla/5.0 (compatible; x)" "text/html"
      = GET http://www.example.com/index.html?a 200 at 2015-06-09T01:58:09+08:00 from https://www.example.com/ by Mozilla/5.0 (compatible; x)
    huawei-cdn: [05/Feb/2018:07:54:52 +0800] 192.0.2.1 1 "-" "HTTP/1.1" "GET" "www.example.com" "/test/1234.apk" 206 720 HIT "Mozilla/5.0 (Linux; U; Android 6.0)" "bytes=-256"
      = GET /test/1234.apk 206 at 2018-02-05T07:54:52+08:00 on www.example.com by Mozilla/5.0 (Linux; U; Android 6.0)
    iis: 192.0.2.1, -, 03/20/01, 7:55:20, W3SVC2, SERVER, 192.0.2.9, 4502, 163, 3223, 200, 0, GET, /a, q=1,
      = GET /a?q=1 200 at 2001-03-20T07:55:20+00:00
    nginx-proxy-manager: [10/Oct/2000:13:55:36 +0000] - 200 200 - GET https www.example.com "/a" [Client 192.0.2.1] [Length 1] [Gzip -] [Sent-to 192.0.2.2] "curl/8" "-"
      = GET /a 200 at 2000-10-10T13:55:36+00:00 on www.example.com by curl/8
    zoraxy: 2025/05/01 07:57:03 [2025-05-01 07:57:03.150624] [router:host-http] [origin:www.example.com] [client: 192.0.2.1] [useragent: curl/8] GET /a 200
      = GET /a 200 at 2025-05-01T07:57:03+00:00 on www.example.com by curl/8
    tencent-cdn: 20260603120001 192.0.2.1 www.example.com /a/b.jpg?c 2345 22 26 200 https://www.example.com/ 12 "Mozilla/5.0 (iPhone; x)" "(null)" GET HTTP/2.0 hit 51517
      = GET /a/b.jpg?c 200 at 2026-06-03T12:00:01+00:00 on www.example.com from https://www.example.com/ by Mozilla/5.0 (iPhone; x)
    tencent-cdn: 20260603120001 192.0.2.1 www.example.com /a 2345 22 26 404 "-" 12 "curl/8" "bytes=0-1" HEAD HTTPS miss
      = HEAD /a 404 at 2026-06-03T12:00:01+00:00 on www.example.com by curl/8
    morgan: GET /a?b 304 - - 1.234 ms
      = GET /a?b 304
    morgan: POST /a 201 5.123 ms - 12
      = POST /a 201
    morgan: \#u{1B}[0mGET /a \#u{1B}[36m304\#u{1B}[0m 5.123 ms - -\#u{1B}[0m
      = GET /a 304
    morgan: ::ffff:192.0.2.1 - GET /a HTTP/1.1 200 12 - 1.234 ms
      = GET /a 200
    common: [2026-06-03 12:00:01 +0000] [12] [INFO] 192.0.2.1:5000 - - [03/Jun/2026:12:00:01 +0000] "GET /a 1.1" 200 5
      = GET /a 200 at 2026-06-03T12:00:01+00:00
    logfmt: time=2026-06-03T12:00:01Z http_method=GET site=www.example.com uri="/a" status=200 http_referrer="-" http_user_agent="curl/8"
      = GET /a 200 at 2026-06-03T12:00:01+00:00 on www.example.com by curl/8
    nginx-json: {"time":"2026-06-03T12:00:01Z","vhost":"www.example.com","request":"GET /a HTTP/1.1","query":"?b=1","status":200}
      = GET /a?b=1 200 at 2026-06-03T12:00:01+00:00 on www.example.com
    nginx-json: {"@timestamp":"2026-06-03T12:00:01Z","path":"/a","query":"b=1","domain":"www.example.com","response_code":200}
      = GET /a?b=1 200 at 2026-06-03T12:00:01+00:00 on www.example.com
    nginx-json: {"time":"2026-06-03T12:00:01Z","request":{"uri":"/a","method":"GET","host":"www.example.com"},"status":200,"user_agent":"curl/8"}
      = GET /a 200 at 2026-06-03T12:00:01+00:00 on www.example.com by curl/8
    gin: [GIN] 2026/06/03 - 12:00:01 | 404 |     1.2345ms |       192.0.2.1 | GET      "/a?b"
      = GET /a?b 404 at 2026-06-03T12:00:01+00:00
    gin: [GIN] 2026/06/03 - 12:00:01 |\#u{1B}[97;42m 200 \#u{1B}[0m|     1.2345ms |       192.0.2.1 |\#u{1B}[97;46m POST    \#u{1B}[0m "/a"
      = POST /a 200 at 2026-06-03T12:00:01+00:00
    uwsgi: [pid: 12|app: 0|req: 7/9] 192.0.2.1 () {40 vars in 612 bytes} [Wed Jun  3 12:00:01 2026] GET /a?b=1 => generated 2543 bytes in 12 msecs (HTTP/1.1 200) 4 headers in 121 bytes (1 switches on core 0)
      = GET /a?b=1 200 at 2026-06-03T12:00:01+00:00
    confluence: [18/Dec/2020:12:57:26 +1100] testuser http-nio-8090-exec-6 0:0:0:0:0:0:0:1 GET /index.action HTTP/1.1 200 1020ms 7881 https://www.example.com/login.action?a=b Mozilla/5.0 (Macintosh; Intel Mac OS X 10_14_6) Safari/537.36
      = GET /index.action 200 at 2020-12-18T12:57:26+11:00 from https://www.example.com/login.action?a=b by Mozilla/5.0 (Macintosh; Intel Mac OS X 10_14_6) Safari/537.36
    bitbucket: 192.0.2.1,192.0.2.2 | https | o@PZQFBCx921x19253x0 | - | 2026-06-03 12:00:01,437 | "GET /a HTTP/1.1" | "https://www.example.com/" "Mozilla/5.0 (iPhone)" | 200 | 0 | 19 | - | 6 | 1irez8i |
      = GET /a 200 at 2026-06-03T12:00:01+00:00 from https://www.example.com/ by Mozilla/5.0 (iPhone)
    common: 192.0.2.1 - - [03/Jun/2026:12:00:01 +0000]"GET /pets HTTP/1.1" 200 35 c6af9ac6-7b61-11e6-9a41-93e8deadbeef
      = GET /pets 200 at 2026-06-03T12:00:01+00:00
    nginx-json: {"requestId":"c6af","ip":"192.0.2.1","caller":"-","user":"-","requestTime":"03/Jun/2026:12:00:01 +0000","httpMethod":"GET","resourcePath":"/pets","status":"200","protocol":"HTTP/1.1","responseLength":"35"}
      = GET /pets 200 at 2026-06-03T12:00:01+00:00
    nginx-json: {"requestId":"c6af","ip":"192.0.2.1","requestTime":"03/Jun/2026:12:00:01 +0000","httpMethod":"POST","routeKey":"POST /pets","status":"200","protocol":"HTTP/1.1","responseLength":"35"}
      = POST /pets 200 at 2026-06-03T12:00:01+00:00
    nginx-json: {"ts":1780488001.25,"uid":"CHh","id.orig_h":"192.0.2.1","method":"GET","host":"www.example.com","uri":"/a","referrer":"https://www.example.com/","version":"1.1","user_agent":"curl/8","request_body_len":0,"response_body_len":3,"status_code":200,"status_msg":"OK"}
      = GET /a 200 at 2026-06-03T12:00:01+00:00 on www.example.com from https://www.example.com/ by curl/8
    w3c: #separator \x09
    #path\#thttp
    #fields\#tts\#tuid\#tmethod\#thost\#turi\#treferrer\#tuser_agent\#tresponse_body_len\#tstatus_code
    #types\#ttime
    1780488001.250000\#tCHh\#tGET\#twww.example.com\#t/a\#t-\#tMozilla/5.0 (iPhone; x)\#t3\#t200
      = GET /a 200 at 2026-06-03T12:00:01+00:00 on www.example.com by Mozilla/5.0 (iPhone; x)
    logfmt: I, [2026-06-03T12:00:01.123456 #1234]  INFO -- : method=GET path=/a format=html controller=PagesController action=show status=200 duration=58.33 view=40.43 db=15.26
      = GET /a 200 at 2026-06-03T12:00:01+00:00
    combined: 192.0.2.1 - "bob smith" [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 5 "-" "curl/8"
      = GET /a 200 at 2000-10-10T13:55:36-07:00 by curl/8
    combined: "192.0.2.1, 192.0.2.2" - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 5 "-" "curl/8"
      = GET /a 200 at 2000-10-10T13:55:36-07:00 by curl/8
    vcombined: www.example.com "192.0.2.1, 192.0.2.2" 192.0.2.3 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 5 "-" "curl/8"
      = GET /a 200 at 2000-10-10T13:55:36-07:00 on www.example.com by curl/8
    vcombined: www.example.com 192.0.2.1, 192.0.2.2 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 5 "-" "curl/8"
      = GET /a 200 at 2000-10-10T13:55:36-07:00 on www.example.com by curl/8
    vcombined: 2000-10-10T20:55:36.123456789+00:00 stdout F www.example.com 192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 5 "-" "curl/8"
      = GET /a 200 at 2000-10-10T13:55:36-07:00 on www.example.com by curl/8
    traefik: 192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 5 - "curl/8" 13 "web@docker" "http://192.0.2.3:80" 12ms
      = GET /a 200 at 2000-10-10T13:55:36-07:00 by curl/8
    w3c: \#u{FEFF}#Fields: date time cs-method cs-uri-stem sc-status
    2026-11-19 08:00:01 GET /a 200
      = GET /a 200 at 2026-11-19T08:00:01+00:00
    w3c: #Fields: c-ip\#tc-agent\#tdate\#ttime\#tr-host\#ts-operation\#tcs-uri\#tscan result\#tsc-status
    192.0.2.1\#tMozilla/5.0 (iPhone; x)\#t2026-11-19\#t08:00:01\#twww.example.com\#tPOST\#thttp://www.example.com/a?b\#tnot scanned\#t201
      = POST http://www.example.com/a?b 201 at 2026-11-19T08:00:01+00:00 on www.example.com by Mozilla/5.0 (iPhone; x)
    w3c: #Fields: DateTime,RequestId,UrlHost,UrlStem,AuthenticatedUser,UserAgent,HttpStatus,ErrorCode,Method,UrlQuery
    2026-11-19T08:00:01.123Z,1,www.example.com,/a,,"Office/16 (Windows NT 10.0; Pro)",200,,POST,?b=1
      = POST /a?b=1 200 at 2026-11-19T08:00:01+00:00 on www.example.com by Office/16 (Windows NT 10.0; Pro)
    cloudfront: 2026-11-19\#t08:00:01\#tFRA2\#t182\#t192.0.2.1\#tGET\#td1.cloudfront.net\#t/a\#t200\#t-\#tcurl/8\#tq=1\#t-\#tMiss\#tabc==\#twww.example.com\#thttps
      = GET /a?q=1 200 at 2026-11-19T08:00:01+00:00 on www.example.com by curl/8
    cloudfront: 1700000000.123\#t192.0.2.1\#t0.002\#t200\#t500\#tGET\#thttps\#td1.cloudfront.net\#t/a\#t50\#tFRA2\#tabc==\#twww.example.com\#t0.003\#tHTTP/2.0\#tIPv4\#tMozilla/5.0%20(iPhone)\#thttps://www.example.com/\#t-\#tq=1\#tHit
      = GET /a?q=1 200 at 2023-11-14T22:13:20+00:00 on www.example.com from https://www.example.com/ by Mozilla/5.0 (iPhone)
    cloudfront: 1700000000.123\#t192.0.2.1\#t192.0.2.9\#t0.002\#t200\#t500\#tGET\#thttps\#td1.cloudfront.net\#t/a\#t50\#tFRA2\#tabc==\#twww.example.com\#t0.003\#tHTTP/2.0\#tIPv4\#tMozilla/5.0%20(iPhone)\#thttps://www.example.com/\#t-\#tq=1\#tHit
      = GET /a?q=1 200 at 2023-11-14T22:13:20+00:00 on www.example.com from https://www.example.com/ by Mozilla/5.0 (iPhone)
    cloudfront: {"timestamp(ms)":1700000000123,"cs-method":"GET","x-host-header":"www.example.com","cs-uri-stem":"/a","sc-status":"200","cs(User-Agent)":"Mozilla/5.0%20(iPhone)"}
      = GET /a 200 at 2023-11-14T22:13:20+00:00 on www.example.com by Mozilla/5.0 (iPhone)
    cloudfront: date\#ttime\#tcs(User-Agent)\#tx-host-header\#tcs-uri-stem\#tsc-status
    2026-11-19\#t08:00:01\#tMozilla/5.0 (iPhone; x)\#twww.example.com\#t/a\#t200
      = GET /a 200 at 2026-11-19T08:00:01+00:00 on www.example.com by Mozilla/5.0 (iPhone; x)
    caddy: 2026/11/19 08:00:01.123\#tINFO\#thttp.log.access\#thandled request\#t{"request": {"method": "GET", "host": "www.example.com", "uri": "/a", "headers": {"User-Agent": ["curl/8"]}}, "status": 200}
      = GET /a 200 at 2026-11-19T08:00:01+00:00 on www.example.com by curl/8
    haproxy: <134>1 2026-11-19T08:00:01.5+00:00 lb haproxy 1 - - 192.0.2.1:5000 [19/Nov/2026:08:00:01.584] web~ app/a1 www.example.com 0/0/0/72/+72 200 +7456 - - ---- 5/4/0/1/0 0/0 "GET /a HTTP/1.1" 0/0/0/0/1 www.example.com/TLSv1.3/TLS_AES_128_GCM_SHA256
      = GET /a 200 at 2026-11-19T08:00:01+00:00 on www.example.com
    haproxy: 192.0.2.1:5000 [19/Nov/2026:08:00:01.584] web app 200 74 "GET /a HTTP/1.1"
      = GET /a 200 at 2026-11-19T08:00:01+00:00
    envoy-json: [2026-01-24T01:37:00.000Z] "GET /a HTTP/1.1" 200 - via_upstream - "-" 0 178 2 1 "-" "curl/8" "id" "www.example.com" "192.0.2.3:80" inbound|9080|| 192.0.2.4:1 192.0.2.3:80 192.0.2.1:2 outbound default
      = GET /a 200 at 2026-01-24T01:37:00+00:00 on www.example.com by curl/8
    envoy-json: ACCESS [2026-01-24T01:37:00.000Z] "GET /a HTTP/2" 200 - 0 180 5 4 "192.0.2.1" "curl/8" "id" "www.example.com" "192.0.2.3:80"
      = GET /a 200 at 2026-01-24T01:37:00+00:00 on www.example.com by curl/8
    envoy-json: {"@timestamp":"2026-01-24T01:37:00.000Z","authority":"www.example.com","method":"GET","x-envoy-original-path":"-","path":"/a","response_code":200,"user_agent":"curl/8"}
      = GET /a 200 at 2026-01-24T01:37:00+00:00 on www.example.com by curl/8
    gcp-lb: {"time":"2020-06-08T23:41:30+00:00","httpRequest":{"requestMethod":"GET","requestUrl":"https://www.example.com/a","status":200}}
      = GET https://www.example.com/a 200 at 2020-06-08T23:41:30+00:00
    gcp-lb: {"protoPayload":{"method":"GET","resource":"/a?b","status":200,"userAgent":"curl/8","host":"www.example.com"},"httpRequest":{"status":200},"timestamp":"2020-06-08T23:41:30.078651Z"}
      = GET /a?b 200 at 2020-06-08T23:41:30+00:00 on www.example.com by curl/8
    fastly: {"service_version":"3","time_start":"2021-11-12T16:59:45+0000","request":"POST","host":"www.example.com","url":"/a","request_user_agent":"curl/8","status":"200"}
      = POST /a 200 at 2021-11-12T16:59:45+00:00 on www.example.com by curl/8
    nginx-json: {"message":"192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] \"GET /a HTTP/1.1\" 200 5 \"-\" \"curl/8\"","path":"/var/log/nginx/access.log","host":"web1"}
      = GET /a 200 at 2000-10-10T13:55:36-07:00 by curl/8
    nginx-json: {"stream":"stdout","log":{"time_iso8601":"2026-11-19T08:00:01+01:00","http_host":"www.example.com","request_uri":"/a","request_method":"POST","status":200}}
      = POST /a 200 at 2026-11-19T08:00:01+01:00 on www.example.com
    nginx-json: {"path":"/var/log/nginx/access.log","timestamp":"10/Oct/2000:13:55:36 -0700","verb":"GET","request":"/a?b","response":"200","agent":"curl/8"}
      = GET /a?b 200 at 2000-10-10T13:55:36-07:00 by curl/8
    nginx-json: {"ts":"2026-11-19T08:00:01+01:00","uri":"/index.php","request":"POST /a?b HTTP/1.1","status":200,"host":"www.example.com"}
      = POST /a?b 200 at 2026-11-19T08:00:01+01:00 on www.example.com
    azure-appgw: {"time":"2026-11-19T08:00:01Z","category":"AppServiceHTTPLogs","properties":{"CsMethod":"GET","CsUriStem":"/a","CsUriQuery":"x=1","UserAgent":"curl/8","ScStatus":200,"CsHost":"www.example.com"}}
      = GET /a?x=1 200 at 2026-11-19T08:00:01+00:00 on www.example.com by curl/8
    azure-appgw: {"records":[{"time":"2026-11-19T08:00:01.123Z","category":"FrontDoorAccessLog","properties":{"httpMethod":"GET","requestUri":"https://www.example.com/a?x=1","userAgent":"curl/8","httpStatusCode":"200","hostName":"www.example.com"}}]}
      = GET https://www.example.com/a?x=1 200 at 2026-11-19T08:00:01+00:00 on www.example.com by curl/8
    nginx-json: {"clientip":"192.0.2.1","timestamp":"10/Oct/2000:13:55:36 -0700","verb":"GET","request":"/a","response":"200","referrer":"\"https://www.example.com/\"","agent":"\"Mozilla/5.0 (iPhone; \\\"x\\\")\""}
      = GET /a 200 at 2000-10-10T13:55:36-07:00 from https://www.example.com/ by Mozilla/5.0 (iPhone; \"x\")
    nginx-json: {"verb":"GET","request":"/a","response":"200","referrer":"\"-\"","agent":"\"\""}
      = GET /a 200
    nginx-json: {"request":{"querystring":{},"size":80,"uri":"/a?b","url":"http://www.example.com:8000/a?b","headers":{"host":"www.example.com","user-agent":"curl/8","referer":"https://a.example/"},"method":"GET"},"response":{"status":200,"size":934,"headers":{"via":"1.1 kong/3.8.0"}},"latencies":{"proxy":1},"tries":[{"port":80,"ip":"192.0.2.9"},{"port":80,"ip":"192.0.2.8"}],"client_ip":"192.0.2.1","started_at":1726783839000}
      = GET /a?b 200 at 2024-09-19T22:10:39+00:00 on www.example.com from https://a.example/ by curl/8
    nginx-json: {"messageType":"DATA_MESSAGE","logGroup":"web","logEvents":[{"id":"1","timestamp":1726783839000,"message":"192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] \"GET /a HTTP/1.1\" 200 5 \"-\" \"curl/8\""}]}
      = GET /a 200 at 2000-10-10T13:55:36-07:00 by curl/8
    akamai: {"reqTimeSec":"1573840000","reqMethod":"GET","reqHost":"www.example.com","reqPath":"/a","statusCode":"200","UA":"Mozilla%2F5.0%20(iPhone)","referer":"https%3A%2F%2Fwww.example.com%2Fb%3Fc%3D%2525"}
      = GET /a 200 at 2019-11-15T17:46:40+00:00 on www.example.com from https://www.example.com/b?c=%25 by Mozilla/5.0 (iPhone)
    logfmt: <158>1 2026-11-19T08:00:01.123456+00:00 host heroku router - at=error code=H12 desc="Request timeout" method=POST path="/a?b=c=d" host=www.example.com request_id=1 fwd="192.0.2.1" dyno=web.1 connect=0ms service=30000ms status=503 bytes=0 protocol=https
      = POST /a?b=c=d 503 at 2026-11-19T08:00:01+00:00 on www.example.com
    logfmt: [10/Oct/2000:13:55:36 -0700] host=www.example.com method=GET uri=/a status=200
      = GET /a 200 at 2000-10-10T13:55:36-07:00 on www.example.com
    logfmt: time=[10/Oct/2000:13:55:36 -0700] client=192.0.2.1 request="GET /a HTTP/1.1" status=200 host=www.example.com referer="https://www.example.com/" user_agent="say \"hi\" x=1"
      = GET /a 200 at 2000-10-10T13:55:36-07:00 on www.example.com from https://www.example.com/ by say "hi" x=1
    ltsv: time:2026-11-19T08:00:01+00:00\#tmethod:GET\#turi:/a\#tquery:b=1\#tstatus:200\#tsize:5\#treferer:-\#tua:"curl/8"\#tx-forwarded-for:192.0.2.1
      = GET /a?b=1 200 at 2026-11-19T08:00:01+00:00 by curl/8
    """#)

  /// Definitions of formats, each before a line and its fields.
  ///
  /// In the last ones, a header is part of a line if its format needs it; users can have blanks in
  /// their names, but hosts can't; a column after escapes is no service; adjacent values are one.
  package static let definitions = table(
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
    nginx: $ignored $host $ignored [$time_local] "$request" $status
    2026-06-03T12:00:00Z www.example.com - [03/Jun/2026:12:00:00 +0000] "GET /a HTTP/1.1" 200
      = GET /a 200 at 03/Jun/2026:12:00:00 +0000 on www.example.com
    nginx: $remote_user $host [$time_local] "$request" $status
    alice smith www.example.com [03/Jun/2026:10:00:00 +0000] "GET /buy/1 HTTP/1.1" 200
      = GET /buy/1 200 at 03/Jun/2026:10:00:00 +0000 on www.example.com
    Apache: %u %v %t "%r" %>s
    alice smith www.example.com [03/Jun/2026:10:00:00 +0000] "GET /buy/1 HTTP/1.1" 200
      = GET /buy/1 200 at 03/Jun/2026:10:00:00 +0000 on www.example.com
    nginx: $host | $request | $status
    \#u{1B}[0mlocalhost | GET /a HTTP/1.1 | 200
      = GET /a 200 on localhost
    nginx: "$request_method $uri$is_args$args" $status
    "GET /a--" 200
      = GET /a- 200
    nginx: "$request_method $uri$is_args$args" $status $request_uri
    "GET /b-" 200 /a-
      = GET /a- 200
    nginx: $request_time$body_bytes_sent$bytes_sent$pipe "$request" $status
    0.112300. "GET /a HTTP/1.1" 200
      = GET /a 200
    """#)
}
