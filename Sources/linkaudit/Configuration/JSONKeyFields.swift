/// The fields of requests whose keys in JSON can be named.
enum JSONKeyFields {
  /// The names, as options and configurations have them.
  static let names = [
    "target", "query", "request", "method", "status", "host", "referrer", "user-agent", "time",
  ]
}
