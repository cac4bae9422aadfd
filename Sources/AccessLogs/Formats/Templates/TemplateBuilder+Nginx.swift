internal import Foundations

/// nginx's `log_format` (https://nginx.org/en/docs/http/ngx_http_log_module.html#log_format).
extension TemplateBuilder {
  /// Compiles a format with `$variables`.
  ///
  /// - Parameter text: The directive as in the configuration, on one line or several, or only its
  ///   quoted text.
  /// - Returns: The template of the lines, which have at least a target and a status.
  /// - Throws: ``FormatStringError`` for a mistake in the text.
  static func compile(nginx text: String) throws(FormatStringError) -> LineTemplate {
    var builder = TemplateBuilder(text, isApache: false)
    for word in builder.words where word.hasPrefix("escape=") { try builder.setEncoding(word) }
    let bytes = builder.bytes
    var index = 0
    while index < bytes.count {
      let start = index
      index += 1
      guard bytes[start] == UInt8(ascii: "$") else {
        builder.addText(bytes[start])
        continue
      }
      let isBraced = index < bytes.count && bytes[index] == UInt8(ascii: "{")
      if isBraced { index += 1 }
      let name = bytes[index...].prefix { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }
      index = name.endIndex
      if isBraced, index < bytes.count, bytes[index] == UInt8(ascii: "}") { index += 1 }
      builder.begin(start..<index)
      try builder.addVariable(String(decoding: name, as: UTF8.self))
    }
    return try builder.finish()
  }

  private mutating func setEncoding(_ word: String) throws(FormatStringError) {
    switch word.dropFirst("escape=".count) {
    case "default": template.encoding = .escaped
    case "json": template.encoding = .json
    case "none": template.encoding = .plain
    default:
      begin(word)
      throw mistake(
        "'\(word)' is not a kind of escaping", remedy: "nginx supports default, json and none")
    }
  }

  private mutating func addVariable(_ name: String) throws(FormatStringError) {
    if name == "time_local" { return addTime(.commonTime) }
    if name == "is_args" {
      // `?` or nothing: part of the target before it, or of the query after it.
      if case .field(.target) = template.elements.last {
        hasQueryMark = true
        return
      }
      return try addField(nil)
    }
    if let field = Self.fields[name] {
      return try addField(field, isBest: Self.bestVariables.contains(name))
    }
    let hasPrefix = Self.prefixes.contains { name.hasPrefix($0) && name.count > $0.count }
    guard hasPrefix || Self.others.contains(name) else {
      let known = Array(Self.fields.keys) + Array(Self.others)
      throw mistake(
        name.isEmpty ? "'$' has no name after it" : "'$\(name)' is not a variable of nginx",
        remedy: known.nearest(to: name).map { "did you mean '$\($0)'?" }
          ?? "if it is your own variable, write '$ignored' instead, and linkaudit ignores its value"
      )
    }
    try addField(nil)
  }

  private static let fields: [String: LogField] = [
    "request": .request, "args": .query, "query_string": .query, "request_method": .method,
    "status": .status, "http_referer": .referrer, "http_user_agent": .agent, "time_iso8601": .time,
    "msec": .time, "body_bytes_sent": .size, "bytes_sent": .size, "host": .host,
    "http_host": .host, "best_http_host": .host, "server_name": .host, "request_uri": .target,
    "uri": .target, "document_uri": .target, "http_sec_fetch_dest": .fetchMetadata,
    "http_sec_fetch_mode": .fetchMetadata,
  ]

  /// The variables that have the best value of a field with several variables.
  private static let bestVariables: Set = [
    "host", "http_host", "best_http_host", "request_uri", "http_sec_fetch_dest",
  ]

  /// The prefixes of groups of variables.
  private static let prefixes = [
    "arg_", "cookie_", "http_", "sent_http_", "sent_trailer_", "trailer_", "upstream_", "ssl_",
    "geoip_", "geoip2_", "proxy_", "fastcgi_", "uwsgi_", "realip_", "tcpinfo_", "jwt_", "otel_",
    "uid_", "session_log_", "limit_", "memcached_", "quic_",
    "connection_", "connections_", "brotli_", "zstd_", "lua_", "modsecurity_",
  ]

  /// Variables that are ignored.
  private static let others: Set<String> = [
    "time_local", "is_args", "ignored", "request_id", "secure_link", "spdy", "ancient_browser",
    "binary_remote_addr", "bytes_received", "connection", "content_length", "content_type",
    "date_gmt", "date_local", "document_root", "gzip_ratio", "hostname", "http2", "http3", "https",
    "invalid_referer", "modern_browser", "msie", "nginx_version", "pid", "pipe", "random_index",
    "realpath_root", "remote_addr", "remote_port", "remote_user", "request_body",
    "request_body_file", "request_completion", "request_filename", "request_length", "request_time",
    "request_port", "scheme", "server_addr", "server_port", "server_protocol", "slice_range",
    "userid", "protocol", "is_request_port",
    // Kubernetes' ingress-nginx.
    "namespace", "ingress_name", "service_name", "service_port", "the_real_ip", "req_id",
    "location_path", "pass_access_scheme", "pass_server_port", "pass_port",
    // nginx-proxy-manager.
    "server", "forward_scheme", "port",
  ]
}
