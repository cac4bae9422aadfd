internal import Foundations

extension LogFormat {
  /// The name of formats in nginx's notation, given by users or inferred from lines.
  public static let templateName = "log_format"

  static let jsonName = "json"

  /// Apache's and nginx's `combined`.
  public static let combined = LogFormat(
    "combined", "Apache, nginx, and most servers", .common(.combined))

  /// The Common Log Format: no referrer and no user agent.
  public static let common = LogFormat("common", "the Common Log Format", .common(.common))

  /// `combined` with the host in front, as Apache's `vhost_combined`.
  public static let vcombined = LogFormat(
    "vcombined", "combined, the host in front", .common(.vcombined))

  /// `common` with the host in front.
  public static let vcommon = LogFormat("vcommon", "common, the host in front", .common(.vcommon))

  /// lighttpd's default: `combined` with the host in place of the identity.
  public static let lighttpd = LogFormat(
    "lighttpd", "lighttpd, host after client", .common(.lighttpd))

  /// The extended log file format of the W3C.
  public static let w3c = LogFormat("w3c", "IIS and others with '#Fields:'", .columns(.w3c))

  /// Amazon CloudFront's standard logs, which are the W3C's format and have these columns even
  /// without a heading
  /// (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html);
  /// and its real-time logs.
  public static let cloudfront = LogFormat(
    "cloudfront", "Amazon CloudFront, standard logs",
    .fields(
      [
        0: .date, 1: .time, 3: .size, 5: .method, 7: .target, 8: .status, 9: .referrer,
        10: .agent, 11: .query, 15: .host,
      ], ColumnLayout(minimumCount: 12, doublesQuotes: true, heading: .directive)),
    .json(.usualNames), .cloudFrontRealTime(shift: 0), .cloudFrontRealTime(shift: 1))

  /// See https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-access-logs.html.
  static let applicationLoadBalancer = LogFormat(
    "awsalb", "AWS Application Load Balancer",
    .fields(
      [1: .time, 8: .status, 11: .size, 12: .request, 13: .agent, 18: .host],
      ColumnLayout(minimumCount: 17)))

  /// See https://docs.aws.amazon.com/elasticloadbalancing/latest/classic/access-log-collection.html.
  static let classicLoadBalancer = LogFormat(
    "awselb", "AWS Classic Load Balancer",
    .fields(
      [0: .time, 7: .status, 10: .size, 11: .request, 12: .agent],
      ColumnLayout(minimumCount: 12)))

  /// See https://docs.aws.amazon.com/AmazonS3/latest/userguide/LogFormat.html.
  static let simpleStorage = LogFormat(
    "awss3", "Amazon S3, server access logs",
    .fields(
      [2: .time, 8: .request, 9: .status, 11: .size, 15: .referrer, 16: .agent, 22: .host],
      ColumnLayout(minimumCount: 10, hasBrackets: true)))

  /// See https://cloud.google.com/storage/docs/access-logs.
  static let cloudStorage = LogFormat(
    "cloudstorage", "Google Cloud Storage, usage logs",
    .fields(
      [
        0: .time, 4: .method, 5: .target, 6: .status, 8: .size, 10: .host, 11: .referrer,
        12: .agent,
      ],
      ColumnLayout(
        minimumCount: 7, separator: .exactly(UInt8(ascii: ",")), doublesQuotes: true,
        heading: .names)))

  /// See https://wiki.squid-cache.org/Features/LogFormat#squid-result-codes.
  static let squid = LogFormat(
    "squid", "Squid's own format",
    .fields(
      [0: .time, 3: .resultAndStatus, 4: .size, 5: .method, 6: .target],
      ColumnLayout(minimumCount: 7, tearsAtSeconds: true)))

  /// See https://learn.microsoft.com/windows/win32/http/iis-logging.
  package static let iis = LogFormat(
    "iis", "IIS's own format, with commas",
    .fields(
      [2: .date, 3: .time, 9: .size, 10: .status, 12: .method, 13: .target, 14: .query],
      ColumnLayout(
        minimumCount: 14, separator: .exactly(UInt8(ascii: ",")), tearsAtTimeOfDay: true)))

  /// Caddy 2, module `http.log.access`
  /// (https://caddyserver.com/docs/caddyfile/directives/log).
  static let caddy = LogFormat(
    "caddy", "Caddy 2, JSON or console",
    .keys([
      .target: ["request.uri"], .method: ["request.method"], .host: ["request.host"],
      .referrer: ["request.headers.Referer"], .agent: ["request.headers.User-Agent"],
      .fetchMetadata: ["request.headers.Sec-Fetch-Dest", "request.headers.Sec-Fetch-Mode"],
      .status: ["status"], .size: ["size"], .time: ["ts"],
    ]))

  /// Traefik with `format: json`, headers kept
  /// (https://doc.traefik.io/traefik/observability/access-logs/).
  static let traefik = LogFormat(
    "traefik", "Traefik, JSON or common",
    .keys([
      .target: ["RequestPath"], .method: ["RequestMethod"], .host: ["RequestHost", "RequestAddr"],
      .referrer: ["request_Referer"], .agent: ["request_User-Agent"],
      .fetchMetadata: ["request_Sec-Fetch-Dest", "request_Sec-Fetch-Mode"],
      .status: ["DownstreamStatus", "OriginStatus"], .size: ["DownstreamContentSize"],
      .time: ["StartLocal", "StartUTC", "time"],
    ]), .common(.combined))

  /// Rows of a warehouse, each of which represents a number of equal requests.
  ///
  /// It has no name for users: a line of a log counts once, so rows must never be read as lines.
  public static let rows = LogFormat(
    "rows", "rows of a warehouse, in CSV or JSON", .rows(.rowNames))

  static let haproxy = LogFormat("haproxy", "HAProxy, HTTP log with captures", .haproxy)

  /// JSON, or the default format string, also with what Istio adds after the flags, and with the
  /// word that Emissary puts in front.
  ///
  /// See https://www.envoyproxy.io/docs/envoy/latest/configuration/observability/access_log/usage.
  static let envoy = LogFormat(
    "envoy-json", "Envoy and Istio, JSON or text", .json(.usualNames),
    .notation(
      #"$ignored[$time_iso8601] "$request" $status $ignored "$http_x_forwarded_for" "$http_user_agent" "$request_id" "$host" "$upstream_addr""#
    ))

  /// Google Cloud's load balancers, as `LogEntry` and `HttpRequest`
  /// (https://cloud.google.com/logging/docs/reference/v2/rest/v2/LogEntry), and App Engine's
  /// `RequestLog`.
  static let googleLoadBalancer = LogFormat(
    "gcp-lb", "Google Cloud load balancers",
    .keys([
      .target: ["httpRequest.requestUrl", "protoPayload.resource"],
      .method: ["httpRequest.requestMethod", "protoPayload.method"], .host: ["protoPayload.host"],
      .referrer: ["httpRequest.referer", "protoPayload.referrer"],
      .agent: ["httpRequest.userAgent", "protoPayload.userAgent"],
      .status: ["httpRequest.status", "protoPayload.status"],
      .size: ["httpRequest.responseSize", "protoPayload.responseSize"],
      // Programs that write such entries have the time under `time`.
      .time: ["timestamp", "receiveTimestamp", "time"],
    ]))

  /// Cloudflare's Logpush, dataset `http_requests`
  /// (https://developers.cloudflare.com/logs/logpush/logpush-job/datasets/zone/http_requests/).
  static let cloudflare = LogFormat(
    "cloudflare", "Cloudflare Logpush, HTTP requests",
    .keys([
      .target: ["ClientRequestURI", "ClientRequestPath"], .method: ["ClientRequestMethod"],
      .host: ["ClientRequestHost"], .referrer: ["ClientRequestReferer"],
      .agent: ["ClientRequestUserAgent"], .status: ["EdgeResponseStatus"],
      .size: ["EdgeResponseBodyBytes", "EdgeResponseBytes"],
      .time: ["EdgeStartTimestamp", "EdgeEndTimestamp"],
    ]))

  static let fastly = LogFormat("fastly", "Fastly, JSON under usual names", .json(.usualNames))

  static let nginxJSON = LogFormat("nginx-json", "JSON of nginx and others", .json(.usualNames))

  /// The same, in which `host` is the server.
  static let nginxJSONWithServer = LogFormat(
    nginxJSON.name, nginxJSON.summary, .json(.namesWithServer))

  /// Azure's Application Gateway and Front Door
  /// (https://learn.microsoft.com/azure/application-gateway/application-gateway-diagnostics),
  /// and App Service's `AppServiceHTTPLogs`; event hubs put `records` around them.
  static let azureGateway = LogFormat(
    "azure-appgw", "Azure App Gateway, Front Door",
    .keys(
      [
        .target: [
          "properties.originalRequestUriWithArgs", "properties.requestUri", "properties.CsUriStem",
        ],
        .query: ["properties.requestQuery", "properties.CsUriQuery"],
        .method: ["properties.httpMethod", "properties.CsMethod"],
        .host: [
          "properties.originalHost", "properties.host", "properties.hostName", "properties.CsHost",
        ],
        .referrer: ["properties.referer", "properties.referrer"], .agent: ["properties.userAgent"],
        .status: ["properties.httpStatus", "properties.httpStatusCode", "properties.ScStatus"],
        .size: ["properties.sentBytes", "properties.responseBytes", "properties.ScBytes"],
        .time: ["timeStamp", "time", "TimeGenerated"],
      ], wrappers: ["records"]))

  /// Vercel's log drains (https://vercel.com/docs/drains/reference/logs).
  ///
  /// `path` and `host` of the entry itself are those of the function and of the deployment.
  static let vercel = LogFormat(
    "vercel", "Vercel, log drains",
    .keys([
      .target: ["proxy.path"], .method: ["proxy.method"], .host: ["proxy.host"],
      .referrer: ["proxy.referer"], .agent: ["proxy.userAgent"], .status: ["proxy.statusCode"],
      .size: ["proxy.responseByteSize"], .time: ["proxy.timestamp", "timestamp"],
    ]))

  /// Akamai's DataStream 2 (https://techdocs.akamai.com/datastream2/docs/data-set-parameters).
  static let akamai = LogFormat(
    "akamai", "Akamai DataStream 2, JSON",
    .keys([
      .target: ["reqPath"], .query: ["queryStr"], .method: ["reqMethod"], .host: ["reqHost"],
      .referrer: ["referer"], .agent: ["UA"], .status: ["statusCode"], .size: ["objSize", "bytes"],
      .time: ["reqTimeSec"],
    ]))

  /// pino-http and others that log Node.js requests as pino does
  /// (https://github.com/pinojs/pino-http); `hostname` is the machine.
  static let pino = LogFormat(
    "pino", "pino and pino-http of Node.js",
    .keys([
      .target: ["req.url"], .query: ["req.query"], .method: ["req.method"],
      .host: ["req.headers.host"], .referrer: ["req.headers.referer"],
      .agent: ["req.headers.user-agent"],
      .fetchMetadata: ["req.headers.sec-fetch-dest", "req.headers.sec-fetch-mode"],
      .status: ["res.statusCode"], .time: ["time"],
    ]))

  static let logfmt = LogFormat("logfmt", "Heroku's router and logfmt", .logfmt)

  static let ltsv = LogFormat("ltsv", "labeled tab-separated values", .ltsv)

  /// See https://docs.bunny.net/cdn/logging.
  static let bunny = LogFormat(
    "bunny", "bunny.net, CDN logs",
    .notation(
      "$upstream_cache_status|$status|$msec|$bytes_sent|$ignored|$remote_addr|$http_referer|$request_uri|$ignored|$http_user_agent|$request_id|$ignored"
    ))

  /// See https://www.alibabacloud.com/help/en/cdn/user-guide/download-logs.
  static let alibaba = LogFormat(
    "alibaba-cdn", "Alibaba Cloud CDN, offline logs",
    .notation(
      #"[%{%d/%b/%Y:%H:%M:%S %z}t] %a %l %D "%{Referer}i" "%r" %s %l %O %l "%{User-agent}i"%l"#))

  /// See https://support.huaweicloud.com/intl/en-us/usermanual-cdn/cdn_01_0018.html.
  static let huawei = LogFormat(
    "huawei-cdn", "Huawei Cloud CDN, log files",
    .notation(
      #"[%{%d/%b/%Y:%H:%M:%S %z}t] %a %D "%{Referer}i" "%H" "%m" "%v" "%U" %s %O %l "%{User-agent}i"%l"#
    ))

  /// `log_format proxy` and `standard` (https://github.com/NginxProxyManager/nginx-proxy-manager).
  static let nginxProxyManager = LogFormat(
    "nginx-proxy-manager", "Nginx Proxy Manager",
    .notation(
      #"[$time_local] $upstream_cache_status $upstream_status $status - $request_method $scheme $host "$request_uri" [Client $remote_addr] [Length $body_bytes_sent] [Gzip $gzip_ratio] [Sent-to $server] "$http_user_agent" "$http_referer""#
    ),
    .notation(
      #"[$time_local] $status - $request_method $scheme $host "$request_uri" [Client $remote_addr] [Length $body_bytes_sent] [Gzip $gzip_ratio] "$http_user_agent" "$http_referer""#
    ),
    .common(.combined))

  /// See https://github.com/tobychui/zoraxy.
  static let zoraxy = LogFormat(
    "zoraxy", "Zoraxy",
    .notation(
      "$ignored [$time_iso8601] [router:$ignored] [origin:$host] [client: $remote_addr] [useragent: $http_user_agent] $request_method $request_uri $status"
    ))

  /// With quotation marks around the referrer, or without them
  /// (https://www.tencentcloud.com/document/product/228/6316).
  static let tencent = LogFormat(
    "tencent-cdn", "Tencent Cloud CDN, offline logs",
    .notation(
      #"%{%Y%m%d%H%M%S}t %a %v %U %O %l %l %s "%{Referer}i" %D "%{User-agent}i" "%l" %m %l"#),
    .notation(
      #"%{%Y%m%d%H%M%S}t %a %v %U %O %l %l %s %{Referer}i %D "%{User-agent}i" "%l" %m %l"#))

  /// `dev` with the colors of a terminal, the same if the first color was taken for a prefix,
  /// `short`, and `tiny`, which fits `dev`, too
  /// (https://github.com/expressjs/morgan#predefined-formats).
  static let morgan = LogFormat(
    "morgan", "morgan of Node.js",
    .notation(
      "'\u{1B}[0m$request_method $request_uri \u{1B}[${ignored}m$status\u{1B}[0m $ignored'"),
    .notation("$request_method $request_uri \u{1B}[${ignored}m$status\u{1B}[0m $ignored"),
    .notation(
      "$remote_addr $remote_user $request_method $request_uri HTTP/$ignored $status $body_bytes_sent - $ignored"
    ),
    .notation("$request_method $request_uri $status $ignored"))

  /// The default, without and with the colors of a terminal
  /// (https://gin-gonic.com/en/docs/examples/custom-log-format).
  static let gin = LogFormat(
    "gin", "Gin of Go",
    .notation(#"[GIN] %{%Y/%m/%d - %H:%M:%S}t | %s |%D|%a| %m %l"%U""#),
    .notation(
      "[GIN] %{%Y/%m/%d - %H:%M:%S}t |\u{1B}[%lm %s %D|\u{1B}[%lm %m %l\"%U\""))

  /// See https://uwsgi-docs.readthedocs.io/en/latest/LogFormat.html.
  static let uwsgi = LogFormat(
    "uwsgi", "uWSGI, request log",
    .notation(
      "[pid: %P} [%{%a %b %d %H:%M:%S %Y}t] %m %U => generated %b bytes in %D (HTTP/%l %s) %l"))

  /// See https://confluence.atlassian.com/doc/configure-access-logs-1044780567.html.
  static let confluence = LogFormat(
    "confluence", "Confluence's access log valve",
    .notation(
      "[$time_local] $ignored $request_method $request_uri HTTP/$ignored $status ${ignored}ms $body_bytes_sent $http_referer $http_user_agent"
    ))

  /// A line in which a request begins has no status
  /// (https://confluence.atlassian.com/bitbucketserverkb/779171668.html).
  static let bitbucket = LogFormat(
    "bitbucket", "Bitbucket",
    .notation(
      "$remote_addr | $ignored | $ignored | $remote_user | $time_iso8601 | \"$request\" | \"$http_referer\" \"$http_user_agent\" | $status | $ignored"
    ))

  /// Common log_formats of nginx without a name: linkaudit detects them, but users can name them
  /// only by their text.
  ///
  /// These are the status before the request; Kinsta
  /// (https://kinsta.com/docs/wordpress-hosting/site-management/logs), whose lines continue with the
  /// client's address and the rewritten target; and `combined` with quotation marks around numbers.
  static let nginxVariants = LogFormat(
    templateName, "in nginx's notation",
    .notation(
      #"$remote_addr - $remote_user [$time_local] $status "$request" $body_bytes_sent "$http_referer" "$http_user_agent"$ignored"#
    ),
    .notation(
      #"$host $remote_addr [$time_local] $request_method "$request_uri" $server_protocol $status "$http_referer" "$http_user_agent"$ignored"#
    ),
    .notation(
      #"$remote_addr - $remote_user [$time_local] "$request" "$status" "$body_bytes_sent" "$http_referer" "$http_user_agent"$ignored"#
    ))

  /// All formats that have names, in the order in which they are listed.
  public static let named = [
    combined, common, vcombined, vcommon, lighttpd, w3c, cloudfront, applicationLoadBalancer,
    classicLoadBalancer, simpleStorage, cloudStorage, squid, caddy, traefik, haproxy, envoy,
    googleLoadBalancer, cloudflare, fastly, nginxJSON, azureGateway, vercel, akamai, pino,
    logfmt, ltsv, bunny, alibaba, huawei, tencent, iis, nginxProxyManager, zoraxy, morgan, gin,
    uwsgi, confluence, bitbucket,
  ]

  /// The format of a name, or `nil` if none has it.
  public init?(named name: String) {
    guard let format = Self.named.first(where: { $0.name == name }) else { return nil }
    self = format
  }

  /// The name that is nearest to a text, or `nil` if none is near.
  public static func nearestName(to text: String) -> String? {
    (named.map(\.name) + ["auto"]).nearest(to: text)
  }
}

extension LogFormat {
  /// Creates a format from a server's configuration: nginx's `log_format`, Apache's `LogFormat`, or
  /// a `#Fields:` line.
  ///
  /// - Parameter text: The directive, or what is in its quotes.
  /// - Throws: ``FormatStringError`` if something in it isn't understood.
  public init(definition text: String) throws(FormatStringError) {
    let trimmed = Array(text.utf8.drop { $0 <= 0x20 })
    if trimmed.span.begins(with: "#Fields:") {
      var heading = ColumnHeading()
      _ = heading.readDirective(trimmed.span)
      var layout = ColumnLayout.w3c
      layout.columns = heading.columns
      layout.targetsNameHosts = heading.targetsNameHosts
      for (field, name) in [(LogField.target, "cs-uri-stem"), (.status, "sc-status")]
      where !layout.columns.contains(field) {
        throw FormatStringError(
          "the columns have no \(field.name)",
          remedy: "add '\(name)'; linkaudit needs the target and the status",
          in: trimmed, at: 0..<trimmed.count)
      }
      self.init("#Fields", "the columns of '--log-format'", .columns(layout))
    } else if text.contains("$") {
      let template = try TemplateBuilder.compile(nginx: text)
      self.init(Self.templateName, "in nginx's notation", .template(TemplateLineParser(template)))
    } else {
      let template = try TemplateBuilder.compile(apache: text)
      self.init("LogFormat", "in Apache's notation", .template(TemplateLineParser(template)))
    }
  }

  /// Returns a Boolean value indicating whether a text is a definition rather than a
  /// name.
  public static func isDefinition(_ text: String) -> Bool {
    text.contains { $0 == "$" || $0 == "%" || $0 == "#" || $0 == " " }
  }

  /// Creates a format of lines of JSON.
  ///
  /// - Parameter keys: The fields, and the keys that hold them; a full stop leads into
  ///   an object.
  public init(jsonKeys keys: [(field: LogField, key: String)]) {
    self.init(
      Self.jsonName, "under the keys of '--json-keys'",
      .json(JSONKeyTree(chosen: keys.map { ($0.field, $0.key) })))
  }
}

extension LogFormat.Layout {
  /// Returns a layout in nginx's notation, or in Apache's, which has parts of times.
  ///
  /// Either must be correct. `$ignored` and `%l` are values that are ignored.
  fileprivate static func notation(_ text: String) -> Self {
    do {
      return .template(
        TemplateLineParser(
          try text.contains("$")
            ? TemplateBuilder.compile(nginx: text) : TemplateBuilder.compile(apache: text)))
    } catch {
      // Without a field, it would reject each line. No input can cause this.
      preconditionFailure("'\(text)' is no format: \(error)")
    }
  }

  /// Returns a layout whose columns, from 0, are fields.
  fileprivate static func fields(
    _ fields: KeyValuePairs<Int, LogField>, _ layout: ColumnLayout
  ) -> Self {
    var layout = layout
    layout.columns = Array(repeating: nil, count: (fields.last?.key ?? -1) + 1)
    for (column, field) in fields { layout.columns[column] = field }
    return .columns(layout)
  }

  /// Returns a layout of JSON with the names that fields have, the best first.
  fileprivate static func keys(
    _ names: KeyValuePairs<LogField, [String]>, wrappers: [String] = []
  ) -> Self {
    .json(JSONKeyTree(names, wrappers: wrappers))
  }

  /// CloudFront's real-time logs, which have no heading, with all fields, and with the server's
  /// address after the client's or without it
  /// (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/real-time-logs.html).
  fileprivate static func cloudFrontRealTime(shift: Int) -> Self {
    .fields(
      [
        0: .time, 3 + shift: .status, 4 + shift: .size, 5 + shift: .method, 8 + shift: .target,
        12 + shift: .host, 16 + shift: .agent, 17 + shift: .referrer, 19 + shift: .query,
      ],
      ColumnLayout(
        minimumCount: 20, separator: .tabs, doublesQuotes: true, tearsAtSeconds: true,
        beginsWithSeconds: true, protocolColumn: 14 + shift))
  }
}
