extension JSONKeyTree {
  /// Creates a tree of the names that fields have, the best first.
  ///
  /// A full stop in a name leads from an object into a member object, or belongs to the key.
  convenience init(_ names: KeyValuePairs<LogField, [String]>, wrappers: [String] = []) {
    let paths: [Path] = names.flatMap { field, names in
      names.enumerated().flatMap { rank, name in
        Self.paths(name, field, rank: rank, joinedRank: rank)
      }
    }
    self.init(paths, wrappers: wrappers)
  }

  /// Returns the paths of a name, in which the full stops lead from key to key or belong to one.
  private static func paths(
    _ name: String, _ field: LogField, rank: Int, joinedRank: Int
  ) -> [Path] {
    let keys = name.split(separator: ".").map(String.init)
    let nested = Path(keys: keys, field: field, rank: UInt8(clamping: rank))
    let joined = Path(keys: [name], field: field, rank: UInt8(clamping: joinedRank))
    return keys.count > 1 ? [nested, joined] : [nested]
  }

  /// The names of fields in logs with freely chosen keys: nginx, Fastly, Apache, Envoy with
  /// `json_format` (https://www.envoyproxy.io/docs/envoy/latest/configuration/observability/access_log/usage),
  /// and the Elastic Common Schema.
  static let usualNames = JSONKeyTree(
    [
      .target: [
        "x-envoy-original-path", "x-envoy-origin-path", "original_uri", "originalUri",
        "request_uri", "requestUri", "request.uri", "url.original", "uri", "url", "request_url",
        "requestUrl", "path", "request_path", "requestPath", "http.url", "http.request.uri",
        "http.target", "url.path", "target", "cs-uri-stem", "uri_path", "document_uri", "req.url",
        "http.request_uri", "http.uri", "OriginalRequestUriWithArgs", "resourcePath", "url.full",
        "url_path", "urlPath", "uri_stem", "CsUriStem", "requestUri_s", "requested_uri",
        "originalUrl", "req.originalUrl", "meta.req.url", "request.url", "request.path",
        "request_target", "requestTarget", "http_uri", "http_url", "http_path", "http.path",
        "http.url_details.path", "httpRequest.requestPath", "original_path", "raw_path", "req_path",
        "reqPath", "full_path", "fullPath", ":path", "req.uri", "req.path", "http_request_uri",
      ],
      .query: [
        "query_string", "args", "query", "url.query", "cs-uri-query", "request_query",
        "queryString", "request_args", "uri_param", "RequestUrlQueryString", "param", "uri_query",
        "raw_query", "rawQuery", "request.query", "http.request.query", "http.query",
        "requestQuery", "requestQuery_s", "requestQueryString", "request_query_string", "req.query",
        "request.querystring", "request.query_string", "request.args", "CsUriQuery",
        "http.url_details.queryString", "http.request.query_string", "http_query", "uri_args",
        "query_params", "queryParams", "query_parameters", "queryParameters",
        "queryStringParameters", "queryStr",
      ],
      .request: [
        "request", "request_line", "http_request", "requestLine", "routeKey", "data.request",
        "requested_url",
      ],
      .method: [
        "request_method", "requestMethod", "method", "request.method", "http.request.method",
        "http_method", "httpMethod", "verb", "cs-method", "http.method", "req.method",
        "http.request_method", "request_verb", "http_verb", "CsMethod", "requestMethod_s",
        "httpMethod_s", "req_method", "reqMethod", "meta.req.method", "httpRequest.requestMethod",
        "http_request_method", ":method",
      ],
      .host: [
        // CloudFront's own name can be under the other keys.
        ":authority", "x-host-header", "hostheader", "host_header", "http_host", "host",
        "request_host", "requestHost", "request.host", "vhost", "virtual_host", "cs(host)",
        "cs-host", "domain", "url.domain", "http.host", "authority", "server_name", "site",
        "req.headers.host", "OriginalHost", "request.headers.host", "hostname", "headers.host",
        "requested_host", "domain_name", "domainName", "fqdn", "CsHost", "host_s", "originalHost_s",
        "hostName_s", "reqHost", "req_host", "meta.req.headers.host", "http.request.headers.host",
        "http.url_details.host", "server.address", "data.host", "x_forwarded_host",
        "http_x_forwarded_host", "requested_server_name",
      ],
      .referrer: [
        "http_referer", "http_referrer", "referer", "referrer", "request_referer",
        "request_referrer", "cs(referer)", "http.request.referrer", "request.headers.referer",
        "headers.referer", "http.referer", "requestReferer", "req.headers.referer", "cs-referer",
        "cs-referrer", "cs(referrer)",
        "request.referer", "request.referrer", "requestReferrer", "http.request.headers.referer",
        "http.request.referer", "meta.req.headers.referer", "client_referer", "referer_url",
        "referrer_url", "referer_s", "referrer_s", "http_refer", "refer", "ref",
      ],
      .agent: [
        "http_user_agent", "user_agent", "useragent", "request_user_agent", "agent",
        "cs(user-agent)", "user_agent.original", "request.headers.user-agent", "headers.user-agent",
        "http.useragent", "http.user_agent", "ua", "req.headers.user-agent", "RequestUA",
        "cs-user-agent", "request.user_agent", "request.userAgent",
        "http.request.headers.user-agent", "http.request.user_agent", "meta.req.headers.user-agent",
        "httpRequest.userAgent", "client_user_agent", "clientUserAgent", "userAgent_s",
        "http_agent", "remote_agent", "identity.userAgent", "data.userAgent",
      ],
      .fetchMetadata: [
        "http_sec_fetch_dest", "sec_fetch_dest", "request.headers.sec-fetch-dest",
        "headers.sec-fetch-dest", "req.headers.sec-fetch-dest", "http_sec_fetch_mode",
        "sec_fetch_mode", "request.headers.sec-fetch-mode", "headers.sec-fetch-mode",
        "req.headers.sec-fetch-mode",
      ],
      .status: [
        "status", "response_status", "status_code", "statusCode", "http_status", "sc-status",
        "http.response.status_code", "response_code", "responseStatus", "response.status", "code",
        "http.status_code", "http.status", "response", "res.statusCode", "res.status",
        "DownstreamStatus", "OriginStatus", "httpStatus", "httpStatusCode", "http_code",
        "return_code", "EdgeResponseStatusCode",
        "response_status_code", "responseStatusCode", "responseCode", "response.status_code",
        "response.statusCode", "response.code", "http.response.status", "httpResponse.status",
        "http.code", "http_status_code", "http_response_code", "http_response_status", "ScStatus",
        "httpStatus_d", "httpStatusCode_d", "elb_status_code", "resp_status", "res_status",
        "meta.res.statusCode", "http_statcode", "rsp_code", "lbStatusCode", "data.lbStatusCode",
      ],
      .size: [
        "body_bytes_sent", "bytes_sent", "bytesSent", "bytes", "size", "response_body_size",
        "response_size", "responseSize", "http.response.body.bytes", "http.response.bytes",
        "body_bytes", "bytes_out", "sc-bytes", "res.size", "response.size",
      ],
      .time: [
        "time_iso8601", "time_local", "@timestamp", "timestamp", "time", "ts", "msec", "datetime",
        "start_time", "date_time", "timestamp_iso8601", "time_iso", "time_start", "timestamp(ms)",
        "requestTime", "started_at", "TimeGenerated", "unixtime", "startTime", "start",
        "event_time", "eventTime", "eventTimestamp", "requestdatetime", "requestTimeEpoch",
        "log_time", "local_time", "time_utc", "utc_time", "time_stamp", "unix_time", "epoch",
        "created_at", "createdAt", "received_at", "receivedAt", "logged_at", "asctime",
        "event.start", "event.created", "@t", "reqTimeSec", "event_timestamp", "timestamp_ms",
      ],
      .date: ["date"],
      .message: [
        "message", "log", "msg", "line", "textPayload", "@message", "_raw", "event",
        "short_message", "_line",
      ],
    ],
    wrappers: [
      "log", "message", "msg", "nginx", "access", "json", "jsonPayload", "_source", "records",
      "logEvents", "result", "attributes", "event",
    ])

  /// The same names in logs that have the server's name or address under `host`.
  static let namesWithServer = JSONKeyTree(
    usualNames.paths.map { path in
      path.keys == ["host"] || path.keys == ["hostname"]
        ? Path(keys: path.keys, field: path.field, rank: .max) : path
    }, wrappers: usualNames.wrappers)

  /// The keys that usually hold a host, without the keys of the objects around it.
  static let lastHostKeys = JSONKeyTree(
    usualNames.paths.filter { $0.field == .host }.map {
      Path(keys: Array($0.keys.suffix(1)), field: .host, rank: 0)
    })

  /// Creates a tree of single keys: those of paths, with full stops between them.
  convenience init(joining paths: [Path]) {
    self.init(
      paths.map { path in
        Path(keys: [path.keys.joined(separator: ".")], field: path.field, rank: path.rank)
      })
  }

  /// Creates a tree of names that a user has chosen; fields without a chosen name are found under
  /// their usual names.
  convenience init(chosen: [(field: LogField, name: String)]) {
    var paths = chosen.flatMap { Self.paths($0.name, $0.field, rank: 0, joinedRank: 1) }
    let named = Set(chosen.map(\.field))
    let asTarget: Set<LogField> = [.target, .request, .query, .message]
    for path in Self.usualNames.paths where !named.contains(path.field) {
      // Don't combine a custom target with another field's query.
      if asTarget.contains(path.field), !named.isDisjoint(with: asTarget) { continue }
      paths.append(Path(keys: path.keys, field: path.field, rank: path.rank + 8))
    }
    self.init(paths)
  }
}

extension LogFormat {
  /// The usual names with full stops between their keys.
  private static let joinedNames = JSONKeyTree(joining: JSONKeyTree.usualNames.paths)

  /// Returns the fields that some keys of JSON have by the end of their names, as
  /// `params.user_agent` has a user agent, in the order of ``LogField``.
  ///
  /// - Parameter keys: The keys from the outermost object, with full stops between them.
  /// - Returns: The fields, each with its best key.
  package static func likelyFields(ofKeys keys: [String]) -> [(field: LogField, key: String)] {
    var best: [LogField: (rank: UInt8, key: String)] = [:]
    for key in keys {
      var end = key[...]
      while true {
        let entry = joinedNames.find(Array(end.utf8).span, at: 0)
        if entry >= 0, let (field, rank) = joinedNames.field(of: entry) {
          if best[field].map({ rank < $0.rank }) ?? true { best[field] = (rank, key) }
          break
        }
        guard let stop = end.firstIndex(of: ".") else { break }
        end = end[end.index(after: stop)...]
      }
    }
    return LogField.allCases.compactMap { field in best[field].map { (field, $0.key) } }
  }
}
