/// The fields in a line of the Common Log Format and related formats.
struct CommonLayout: CaseIterable, Hashable, Sendable {
  /// A Boolean value indicating whether a line begins with the host that the
  /// server was asked for.
  var namesHost: Bool

  /// A Boolean value indicating whether a line holds referrer and user agent.
  var namesReferrer: Bool

  /// A Boolean value indicating whether the host follows the client's address, as lighttpd writes
  /// it.
  var isHostSecond = false

  static let combined = CommonLayout(namesHost: false, namesReferrer: true)
  static let common = CommonLayout(namesHost: false, namesReferrer: false)
  static let vcombined = CommonLayout(namesHost: true, namesReferrer: true)
  static let vcommon = CommonLayout(namesHost: true, namesReferrer: false)
  static let lighttpd = CommonLayout(namesHost: true, namesReferrer: true, isHostSecond: true)

  static let allCases = [combined, common, vcombined, vcommon, lighttpd]
}
