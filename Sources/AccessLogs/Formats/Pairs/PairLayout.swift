/// A format whose lines are pairs of a name and a value.
struct PairLayout: Hashable, Sendable {
  /// How names and values are written.
  enum Notation: Hashable, Sendable {
    /// `name=value`, with spaces between pairs, and quotation marks around values with spaces.
    case equalsSigns

    /// `name:value`, with tabs between pairs (http://ltsv.org).
    case labels
  }

  var notation: Notation

  /// The names, none of which leads into an object.
  var names: JSONKeyTree
}

extension PairLayout {
  /// Heroku's router (https://devcenter.heroku.com/articles/http-routing), and servers that write
  /// logfmt under usual names.
  static let logfmt = PairLayout(
    notation: .equalsSigns,
    names: JSONKeyTree([
      .target: ["request_uri", "uri", "path", "url", "request_path", "target"],
      .query: ["query_string", "args", "query"],
      .request: ["request", "request_line", "req"],
      .method: ["request_method", "method", "http_method", "verb"],
      .host: ["http_host", "vhost", "host", "request_host", "domain", "server_name"],
      .referrer: ["http_referer", "http_referrer", "referer", "referrer"],
      .agent: ["http_user_agent", "user_agent", "useragent", "ua", "agent"],
      .fetchMetadata: [
        "http_sec_fetch_dest", "sec_fetch_dest", "http_sec_fetch_mode", "sec_fetch_mode",
      ],
      .status: ["status", "status_code", "response_status", "http_status"],
      .size: ["body_bytes_sent", "bytes_sent", "bytes", "size", "response_size"],
      .time: ["time_iso8601", "time_local", "@timestamp", "timestamp", "time", "ts", "t", "msec"],
    ]))

  /// Labeled Tab-separated Values, with the labels that http://ltsv.org recommends.
  ///
  /// There, `host` is the client and `vhost` the host that it asked for.
  static let ltsv = PairLayout(
    notation: .labels,
    names: JSONKeyTree([
      .target: ["uri", "request_uri", "path", "url"],
      .query: ["query", "query_string", "args"],
      .request: ["req", "request", "request_line"],
      .method: ["method", "request_method"],
      .host: ["vhost", "http_host", "domain", "server_name", "servername"],
      .referrer: ["referer", "referrer", "refer", "http_referer"],
      .agent: ["ua", "user_agent", "useragent", "http_user_agent"],
      .fetchMetadata: [
        "sec_fetch_dest", "http_sec_fetch_dest", "sec_fetch_mode", "http_sec_fetch_mode",
      ],
      .status: ["status", "status_code"],
      .size: ["size", "body_bytes_sent", "bytes_sent", "bytes", "response_size"],
      .time: ["time", "time_local", "time_iso8601", "timestamp", "datetime", "msec"],
    ]))
}
