internal import TrafficDigest

/// Apple's network did not come by.
enum FileNotFetched: SiteFindingKind {
  static let code = Finding.Code.fileNotFetched
  static let title = "Apple has not asked for the association file"
  static let condition =
    "there is no fetch of the association file by Apple's network (`AASA-Bot`) in the logs"
  static let meaning =
    "Where devices have the app, Apple's network asks for the file about once a day. It need not "
    + "come where few have it, or none does yet: then this says only that. Logs of a part of the "
    + "servers, or of a few hours, can miss it."
  static let remedy =
    "If people have the app: ask for the file from outside, without a redirect, and check that a "
    + "firewall lets Apple's fetchers pass and that their requests are in these logs."
  static let severity = FindingSeverity.fixed(
    .note,
    except: "`warning` if the logs span more than two days, and this host has requests on "
      + "more than two")

  static func findings(in context: SiteFindingContext) -> [Finding] {
    let facts = DeliveryFacts(context)
    // Without user agents, nobody can tell who asked.
    guard facts.network == nil, context.audit.total.requests > 0, context.input.hasAgents else {
      return []
    }
    let days = context.audit.days.count { $0.day != nil }
    let device =
      facts.apple.isEmpty ? "" : " Devices have asked themselves; \(facts.lastGoodText)."
    return [
      finding(
        facts.spansPatience && days > 2 ? .warning : .note, host: context.audit.host,
        "Apple's network (AASA-Bot) has not fetched the association file from this host in the time of these logs.\(device)"
      )
    ]
  }
}
