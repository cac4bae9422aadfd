/// The formats of access logs that have names.
public enum LogFormat: String, CaseIterable, Hashable, Sendable {
  /// Apache's and nginx's `combined`.
  case combined

  /// The Common Log Format: no referrer and no user agent.
  case common

  /// `combined` with the host in front, as Apache's `vhost_combined`.
  case vcombined

  /// A Boolean value indicating whether a line begins with the host that the
  /// server was asked for.
  public var namesHost: Bool { self == .vcombined }

  /// A Boolean value indicating whether a line holds referrer and user agent.
  public var namesReferrer: Bool { self != .common }
}
