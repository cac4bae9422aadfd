internal import Foundations

extension LogFormat {
  /// The name of formats in nginx's notation, given by users or inferred from lines.
  public static let templateName = "log_format"

  /// The name of formats of JSON under keys that users name.
  static let jsonName = "json"

  /// Apache's and nginx's `combined`.
  public static let combined = LogFormat(
    "combined", "Apache, nginx, and most servers", .common(.combined))

  /// The Common Log Format: no referrer and no user agent.
  public static let common = LogFormat(
    "common", "the Common Log Format", .common(.common))

  /// `combined` with the host in front, as Apache's `vhost_combined`.
  public static let vcombined = LogFormat(
    "vcombined", "combined, the host in front", .common(.vcombined))

  /// `common` with the host in front.
  public static let vcommon = LogFormat(
    "vcommon", "common, the host in front", .common(.vcommon))

  /// lighttpd's default: `combined` with the host in place of the identity.
  public static let lighttpd = LogFormat(
    "lighttpd", "lighttpd, host after client", .common(.lighttpd))

  /// The extended log file format of the W3C.
  public static let w3c = LogFormat(
    "w3c", "IIS and others with '#Fields:'", .columns(.w3c))

  /// Amazon CloudFront's standard logs, which are the W3C's format.
  public static let cloudfront = LogFormat(
    "cloudfront", "Amazon CloudFront, standard logs", .columns(.cloudFront), .json(.usualNames),
    .columns(.cloudFrontRealTime), .columns(.cloudFrontRealTimeWithServer))

  static let applicationLoadBalancer = LogFormat(
    "awsalb", "AWS Application Load Balancer", .columns(.applicationLoadBalancer))

  static let classicLoadBalancer = LogFormat(
    "awselb", "AWS Classic Load Balancer", .columns(.classicLoadBalancer))

  static let simpleStorage = LogFormat(
    "awss3", "Amazon S3, server access logs", .columns(.simpleStorage))

  static let cloudStorage = LogFormat(
    "cloudstorage", "Google Cloud Storage, usage logs", .columns(.cloudStorage))

  static let squid = LogFormat(
    "squid", "Squid's own format", .columns(.squid))

  package static let iis = LogFormat("iis", "IIS's own format, with commas", .columns(.iis))

  static let caddy = LogFormat(
    "caddy", "Caddy 2, JSON or console", .json(.caddy))

  static let traefik = LogFormat(
    "traefik", "Traefik, JSON or common", .json(.traefik), .common(.combined))

  /// Rows of a warehouse, each of which represents a number of equal requests.
  ///
  /// It has no name for users: a line of a log counts once, so rows must never be read as lines.
  public static let rows = LogFormat("rows", "rows of a warehouse, in CSV or JSON", .rows)

  static let haproxy = LogFormat(
    "haproxy", "HAProxy, HTTP log with captures", .haproxy)

  static let envoy = LogFormat(
    "envoy-json", "Envoy and Istio, JSON or text", .json(.usualNames),
    .template(.envoyText))

  static let googleLoadBalancer = LogFormat(
    "gcp-lb", "Google Cloud load balancers", .json(.googleLoadBalancer))

  static let cloudflare = LogFormat(
    "cloudflare", "Cloudflare Logpush, HTTP requests", .json(.cloudflare))

  static let fastly = LogFormat(
    "fastly", "Fastly, JSON under usual names", .json(.usualNames))

  static let nginxJSON = LogFormat(
    "nginx-json", "JSON of nginx and others", .json(.usualNames))

  /// The same, in which `host` is the server.
  static let nginxJSONWithServer = LogFormat(
    nginxJSON.name, nginxJSON.summary, .json(.namesWithServer))

  static let azureGateway = LogFormat(
    "azure-appgw", "Azure App Gateway, Front Door", .json(.azureGateway))

  static let vercel = LogFormat("vercel", "Vercel, log drains", .json(.vercel))

  static let akamai = LogFormat("akamai", "Akamai DataStream 2, JSON", .json(.akamai))

  static let pino = LogFormat("pino", "pino and pino-http of Node.js", .json(.pino))

  static let logfmt = LogFormat("logfmt", "Heroku's router and logfmt", .pairs(.logfmt))

  static let ltsv = LogFormat("ltsv", "labeled tab-separated values", .pairs(.ltsv))

  static let bunny = LogFormat("bunny", "bunny.net, CDN logs", .template(.bunny))

  static let alibaba = LogFormat(
    "alibaba-cdn", "Alibaba Cloud CDN, offline logs", .template(.alibaba))

  static let huawei = LogFormat("huawei-cdn", "Huawei Cloud CDN, log files", .template(.huawei))

  static let nginxProxyManager = LogFormat(
    "nginx-proxy-manager", "Nginx Proxy Manager", .template(.nginxProxyManager),
    .template(.nginxProxyManagerPlain), .common(.combined))

  static let zoraxy = LogFormat("zoraxy", "Zoraxy", .template(.zoraxy))

  static let tencent = LogFormat(
    "tencent-cdn", "Tencent Cloud CDN, offline logs", .template(.tencentQuoted),
    .template(.tencent))

  static let morgan = LogFormat(
    "morgan", "morgan of Node.js", .template(.morganColored),
    .template(.morganColoredBehindPrefix), .template(.morganShort), .template(.morganTiny))

  static let gin = LogFormat("gin", "Gin of Go", .template(.gin), .template(.ginColored))

  static let uwsgi = LogFormat("uwsgi", "uWSGI, request log", .template(.uwsgi))

  static let confluence = LogFormat(
    "confluence", "Confluence's access log valve", .template(.confluence))

  static let bitbucket = LogFormat("bitbucket", "Bitbucket", .template(.bitbucket))

  /// Common log_formats of nginx without a name: linkaudit detects them, but users can name them
  /// only by their text.
  static let nginxVariants = LogFormat(
    templateName, "in nginx's notation", .template(.statusFirst), .template(.kinsta),
    .template(.quotedStatus))

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
    NearestName.find(text, among: named.map(\.name) + ["auto"])
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
      self.init(
        Self.templateName, "in nginx's notation", .template(try NginxLogFormat.compile(text)))
    } else {
      self.init("LogFormat", "in Apache's notation", .template(try ApacheLogFormat.compile(text)))
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

extension LineTemplate {
  /// Returns a template in nginx's notation, or in Apache's, which has parts of times.
  ///
  /// Either must be correct. `$ignored` and `%l` are values that are ignored.
  private static func template(_ text: String) -> LineTemplate {
    do {
      return try text.contains("$") ? NginxLogFormat.compile(text) : ApacheLogFormat.compile(text)
    } catch {
      // Without a field, it would reject each line. No input can cause this.
      preconditionFailure("'\(text)' is no format: \(error)")
    }
  }

  /// Envoy's default format string, also with what Istio adds after the flags, and with the word
  /// that Emissary puts in front.
  ///
  /// See https://www.envoyproxy.io/docs/envoy/latest/configuration/observability/access_log/usage.
  static let envoyText = template(
    #"$ignored[$time_iso8601] "$request" $status $ignored "$http_x_forwarded_for" "$http_user_agent" "$request_id" "$host" "$upstream_addr""#
  )

  /// Nginx Proxy Manager (https://github.com/NginxProxyManager/nginx-proxy-manager),
  /// `log_format proxy`.
  static let nginxProxyManager = template(
    #"[$time_local] $upstream_cache_status $upstream_status $status - $request_method $scheme $host "$request_uri" [Client $remote_addr] [Length $body_bytes_sent] [Gzip $gzip_ratio] [Sent-to $server] "$http_user_agent" "$http_referer""#
  )

  /// The same, `log_format standard`.
  static let nginxProxyManagerPlain = template(
    #"[$time_local] $status - $request_method $scheme $host "$request_uri" [Client $remote_addr] [Length $body_bytes_sent] [Gzip $gzip_ratio] "$http_user_agent" "$http_referer""#
  )

  /// bunny.net (https://docs.bunny.net/cdn/logging).
  static let bunny = template(
    "$upstream_cache_status|$status|$msec|$bytes_sent|$ignored|$remote_addr|$http_referer|$request_uri|$ignored|$http_user_agent|$request_id|$ignored"
  )

  /// Alibaba Cloud CDN (https://www.alibabacloud.com/help/en/cdn/user-guide/download-logs).
  static let alibaba = template(
    #"[%{%d/%b/%Y:%H:%M:%S %z}t] %a %l %D "%{Referer}i" "%r" %s %l %O %l "%{User-agent}i"%l"#
  )

  /// Huawei Cloud CDN (https://support.huaweicloud.com/intl/en-us/usermanual-cdn/cdn_01_0018.html).
  static let huawei = template(
    #"[%{%d/%b/%Y:%H:%M:%S %z}t] %a %D "%{Referer}i" "%H" "%m" "%v" "%U" %s %O %l "%{User-agent}i"%l"#
  )

  /// Tencent Cloud CDN (https://www.tencentcloud.com/document/product/228/6316).
  static let tencent = template(
    #"%{%Y%m%d%H%M%S}t %a %v %U %O %l %l %s %{Referer}i %D "%{User-agent}i" "%l" %m %l"#)

  /// The same with quotation marks around the referrer.
  static let tencentQuoted = template(
    #"%{%Y%m%d%H%M%S}t %a %v %U %O %l %l %s "%{Referer}i" %D "%{User-agent}i" "%l" %m %l"#)

  private static func mark(_ text: StaticString) -> Element { .text(Array("\(text)".utf8)) }

  /// morgan's `tiny` and `dev` (https://github.com/expressjs/morgan#predefined-formats).
  static let morganTiny = template("$request_method $request_uri $status $ignored")

  /// morgan's `short`.
  static let morganShort = template(
    "$remote_addr $remote_user $request_method $request_uri HTTP/$ignored $status $body_bytes_sent - $ignored"
  )

  /// morgan's `dev` with the colors of a terminal.
  static let morganColored = LineTemplate(elements: [
    mark("\u{1B}[0m"), .field(.method), mark(" "), .field(.target), mark(" \u{1B}["), .field(nil),
    mark("m"), .field(.status), mark("\u{1B}[0m "), .field(nil),
  ])

  /// The same if the first color was taken for a prefix.
  static let morganColoredBehindPrefix = LineTemplate(
    elements: Array(morganColored.elements.dropFirst()))

  /// Gin's default (https://gin-gonic.com/en/docs/examples/custom-log-format).
  static let gin = template(#"[GIN] %{%Y/%m/%d - %H:%M:%S}t | %s |%D|%a| %m %l"%U""#)

  /// The same with the colors of a terminal.
  static let ginColored = template(
    "[GIN] %{%Y/%m/%d - %H:%M:%S}t |\u{1B}[%lm %s %D|\u{1B}[%lm %m %l\"%U\"")

  /// uWSGI's default (https://uwsgi-docs.readthedocs.io/en/latest/LogFormat.html).
  static let uwsgi = template(
    "[pid: %P} [%{%a %b %d %H:%M:%S %Y}t] %m %U => generated %b bytes in %D (HTTP/%l %s) %l")

  /// Confluence's default (https://confluence.atlassian.com/doc/configure-access-logs-1044780567.html).
  static let confluence = template(
    "[$time_local] $ignored $request_method $request_uri HTTP/$ignored $status ${ignored}ms $body_bytes_sent $http_referer $http_user_agent"
  )

  /// Bitbucket's (https://confluence.atlassian.com/bitbucketserverkb/779171668.html): a line in which
  /// a request begins has no status.
  static let bitbucket = template(
    "$remote_addr | $ignored | $ignored | $remote_user | $time_iso8601 | \"$request\" | \"$http_referer\" \"$http_user_agent\" | $status | $ignored"
  )

  /// `combined` with quotation marks around numbers, too.
  static let quotedStatus = template(
    #"$remote_addr - $remote_user [$time_local] "$request" "$status" "$body_bytes_sent" "$http_referer" "$http_user_agent"$ignored"#
  )

  /// Zoraxy (https://github.com/tobychui/zoraxy).
  static let zoraxy = template(
    "$ignored [$time_iso8601] [router:$ignored] [origin:$host] [client: $remote_addr] [useragent: $http_user_agent] $request_method $request_uri $status"
  )

  /// The status before the request, as in many nginx configurations.
  static let statusFirst = template(
    #"$remote_addr - $remote_user [$time_local] $status "$request" $body_bytes_sent "$http_referer" "$http_user_agent"$ignored"#
  )

  /// Kinsta (https://kinsta.com/docs/wordpress-hosting/site-management/logs), whose lines continue
  /// with the client's address and the rewritten target.
  static let kinsta = template(
    #"$host $remote_addr [$time_local] $request_method "$request_uri" $server_protocol $status "$http_referer" "$http_user_agent"$ignored"#
  )
}
