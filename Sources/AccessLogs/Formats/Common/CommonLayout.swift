/// Which fields a line of the Common Log Format and its kin has.
struct CommonLayout: CaseIterable, Hashable, Sendable {
  /// A Boolean value indicating whether a line begins with the host that the
  /// server was asked for.
  var namesHost: Bool

  /// A Boolean value indicating whether a line holds referrer and user agent.
  var namesReferrer: Bool

  static let combined = CommonLayout(namesHost: false, namesReferrer: true)
  static let common = CommonLayout(namesHost: false, namesReferrer: false)
  static let vcombined = CommonLayout(namesHost: true, namesReferrer: true)
  static let vcommon = CommonLayout(namesHost: true, namesReferrer: false)

  static let allCases = [combined, common, vcombined, vcommon]
}
