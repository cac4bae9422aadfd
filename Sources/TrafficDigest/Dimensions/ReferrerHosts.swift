/// The hosts of other sites that classify referrers.
///
/// A test compares the tables of Documentation/Causes.md with these lists.
package enum ReferrerHosts {
  /// A publication that names a host.
  enum Source {
    /// Matomo's list of search engines and social networks.
    case matomo

    /// MailTrackerBlocker's list of mail trackers.
    case mailTrackers

    /// A list of link shorteners, `url-shorteners`.
    case shorteners

    /// The address of a page of the host's owner.
    case page(StaticString)

    /// The source as Documentation/Causes.md names it.
    var markdown: String {
      switch self {
      case .matomo: "searchengine-and-social-list"
      case .mailTrackers: "MailTrackerBlocker"
      case .shorteners: "url-shorteners"
      case .page(let address): "[maker](\(address))"
      }
    }
  }

  /// The owner of some hosts, their kind, and the publications that name at least one of them.
  struct Entry {
    var owner: String
    var kind: ReferrerKind

    /// Names, each of which includes all hosts below it.
    ///
    /// `google.*` means `google` under any top-level domain, such as `google.de` and
    /// `google.co.uk`.
    var names: [String]
    var sources: [Source]

    init(_ owner: String, _ kind: ReferrerKind, _ names: String..., from sources: Source...) {
      (self.owner, self.kind, self.names, self.sources) = (owner, kind, names, sources)
    }
  }

  /// The kinds of sites by names of hosts, as ``Entry/names`` has them.
  package static var kinds: [(name: String, kind: ReferrerKind)] {
    entries.flatMap { entry in entry.names.map { ($0, entry.kind) } }
  }

  /// All entries; if a host is under several names, the longest one decides.
  static let entries = trackers + searchEngines + socialSites + mailboxes + adverts

  private static let trackers = [
    // Mail services.
    Entry(
      "HubSpot", .tracker, "hubspotlinks.com", "hubspotlinksfree.com", "hubspotlinksstarter.com",
      "hubspotemail.net", "hs-email-click.com", "hubs.ly", "hubs.la", "hubs.li",
      from: .mailTrackers, .shorteners),
    Entry(
      "Mailchimp", .tracker, "list-manage.com", "mailchi.mp", "eepurl.com", "mandrillapp.com",
      from: .mailTrackers, .shorteners),
    Entry(
      "SendGrid", .tracker, "sendgrid.net",
      from: .page(
        "https://docs.sendgrid.com/ui/analytics-and-reporting/click-tracking-html-best-practices")),
    Entry(
      "SparkPost", .tracker, "sparkpostmail.com", "spgo.io",
      from: .page("https://developers.sparkpost.com/api/tracking-domains")),
    Entry("Mailgun", .tracker, "mailgun.org", "mailgun.net", "mgsend.net"),
    Entry("Postmark", .tracker, "pstmrk.it", "mtasv.net"),
    Entry(
      "Amazon SES", .tracker, "awstrack.me",
      from: .page(
        "https://docs.aws.amazon.com/ses/latest/dg/configure-custom-open-click-domains.html"),
      .mailTrackers),
    Entry(
      "Brevo", .tracker, "sendibm1.com", "sendibm2.com", "sendibm3.com", "sendibm4.com",
      "sendibt2.com", "sendibt3.com", "sendibw.com"),
    Entry(
      "Campaign Monitor", .tracker, "createsend.com", "createsend1.com", "cmail1.com", "cmail2.com",
      "cmail19.com", "cmail20.com", from: .mailTrackers),
    Entry("Constant Contact", .tracker, "rs6.net", from: .mailTrackers),
    Entry(
      "Klaviyo", .tracker, "klclick.com", "klclick1.com", "klclick2.com", "klclick3.com",
      "klaviyomail.com", "kmail-lists.com", from: .mailTrackers),
    Entry("Salesforce", .tracker, "exct.net", "exacttarget.com", "pardot.com"),
    Entry("Adobe Marketo", .tracker, "mktoweb.com", "mktdns.com", "mktomail.com"),
    Entry("Oracle", .tracker, "en25.com", "eloqua.com", "responsys.net"),
    Entry("Iterable", .tracker, "links.iterable.com"),
    Entry(
      "Customer.io", .tracker, "customeriomail.com",
      from: .page("https://docs.customer.io/journeys/universal-links"), .mailTrackers),
    Entry("Mailjet", .tracker, "mjt.lu", from: .mailTrackers),
    Entry(
      "ActiveCampaign", .tracker, "acemlna.com", "acemlnb.com", "acemlnc.com", "acemlnd.com",
      from: .mailTrackers),
    Entry(
      "Kit", .tracker, "convertkit-mail.com", "convertkit-mail2.com", "convertkit-mail4.com",
      from: .mailTrackers),
    Entry("MailerLite", .tracker, "mlsend.com", "mlsend2.com", "click.mailerlite.com"),
    Entry("AWeber", .tracker, "clicks.aweber.com"),
    Entry("beehiiv", .tracker, "link.mail.beehiiv.com"),
    Entry("Substack", .tracker, "links.substack.com", "email.substack.com"),
    Entry(
      "Intercom", .tracker, "intercom-clicks.com", "intercom-mail.com", "via.intercom.io",
      from: .mailTrackers),
    // Mail filters, which open links on behalf of their readers.
    Entry(
      "Microsoft Safe Links", .tracker, "safelinks.protection.outlook.com",
      from: .page("https://learn.microsoft.com/en-us/defender-office-365/safe-links-about")),
    Entry("Proofpoint", .tracker, "urldefense.com", "urldefense.proofpoint.com"),
    Entry("Mimecast", .tracker, "mimecastprotect.com", "mimecast.com"),
    Entry("Barracuda", .tracker, "linkprotect.cudasvc.com"),
    // Deep link services.
    Entry(
      "Branch", .tracker, "app.link", "bnc.lt",
      from: .page("https://help.branch.io/using-branch/docs/zeta")),
    Entry(
      "AppsFlyer", .tracker, "onelink.me", "app.appsflyer.com",
      from: .page("https://support.appsflyer.com/hc/en-us/articles/360017132597")),
    Entry("Adjust", .tracker, "adj.st", "go.link", "app.adjust.com"),
    Entry("Kochava", .tracker, "smart.link", "control.kochava.com", from: .shorteners),
    Entry("Singular", .tracker, "sng.link"),
    Entry(
      "Firebase", .tracker, "page.link", "app.goo.gl",
      from: .page("https://firebase.google.com/docs/dynamic-links/create-links")),
    // Shorteners.
    Entry("Bitly", .tracker, "bit.ly", "bitly.com", "j.mp", from: .shorteners),
    Entry("Rebrandly", .tracker, "rebrand.ly", from: .shorteners),
    Entry("TinyURL", .tracker, "tinyurl.com", from: .shorteners),
    Entry("Hootsuite", .tracker, "ow.ly", from: .shorteners),
    Entry("Buffer", .tracker, "buff.ly", from: .shorteners),
    Entry("Google", .tracker, "goo.gl", from: .shorteners),
    Entry(
      "other shorteners", .tracker, "cutt.ly", "dlvr.it", "is.gd", "rb.gy", "short.gy", "t.ly",
      "trib.al", "v.gd", from: .shorteners),
    // Affiliate networks.
    Entry("Awin", .tracker, "awin1.com"),
    Entry(
      "CJ", .tracker, "anrdoezrs.net", "dpbolvw.net", "jdoqocy.com", "kqzyfj.com", "tkqlhce.com"),
    Entry("Impact", .tracker, "pxf.io", "sjv.io"),
    Entry("Partnerize", .tracker, "prf.hn", from: .shorteners),
    Entry("Rakuten", .tracker, "linksynergy.com"),
    Entry("ShareASale", .tracker, "shareasale.com"),
    Entry("Skimlinks", .tracker, "skimresources.com"),
    Entry("Sovrn", .tracker, "redirect.viglink.com"),
    Entry("Tradedoubler", .tracker, "tradedoubler.com"),
  ]

  private static let searchEngines = [
    Entry("Google", .search, "google.*", from: .matomo),
    Entry("Bing", .search, "bing.com", from: .matomo),
    Entry(
      "Yahoo!", .search, "search.yahoo.com", "search.yahoo.co.jp", "r.search.yahoo.com",
      from: .matomo),
    Entry("DuckDuckGo", .search, "duckduckgo.com", "duck.com", from: .matomo),
    Entry("Yandex", .search, "yandex.*", "ya.ru", from: .matomo),
    Entry("Baidu", .search, "baidu.com", from: .matomo),
    Entry("Ecosia", .search, "ecosia.org", from: .matomo),
    Entry("Qwant", .search, "qwant.com", from: .matomo),
    Entry("Startpage", .search, "startpage.com", from: .matomo),
    Entry("Brave", .search, "search.brave.com", from: .matomo),
    Entry("Naver", .search, "search.naver.com", from: .matomo),
    Entry("Daum", .search, "search.daum.net", from: .matomo),
    Entry("Seznam", .search, "search.seznam.cz", from: .matomo),
    Entry("Sogou", .search, "sogou.com", from: .matomo),
    Entry("360", .search, "so.com", from: .matomo),
    Entry("Ask", .search, "ask.com", from: .matomo),
    Entry("AOL", .search, "search.aol.com", from: .matomo),
    Entry("Kagi", .search, "kagi.com"),
    Entry("Mojeek", .search, "mojeek.com", from: .matomo),
    Entry("Swisscows", .search, "swisscows.com", from: .matomo),
    Entry("Petal", .search, "petalsearch.com"),
    Entry("ChatGPT", .search, "chatgpt.com", "chat.openai.com"),
    Entry("Perplexity", .search, "perplexity.ai"),
    Entry("Copilot", .search, "copilot.microsoft.com"),
    Entry("Claude", .search, "claude.ai"),
  ]

  private static let socialSites = [
    Entry("Facebook", .social, "facebook.com", "fb.com", "fb.me", from: .matomo),
    Entry("Messenger", .social, "messenger.com", "m.me"),
    Entry("Instagram", .social, "instagram.com", from: .matomo),
    Entry("Threads", .social, "threads.net", "threads.com"),
    Entry("X", .social, "t.co", "twitter.com", "x.com", from: .matomo),
    Entry("LinkedIn", .social, "linkedin.com", "lnkd.in", from: .matomo),
    Entry("Pinterest", .social, "pinterest.*", "pin.it", from: .matomo),
    Entry("Reddit", .social, "reddit.com", "redd.it", from: .matomo),
    Entry("TikTok", .social, "tiktok.com"),
    Entry("YouTube", .social, "youtube.com", "youtu.be", from: .matomo),
    Entry("Snapchat", .social, "snapchat.com"),
    Entry("WhatsApp", .social, "whatsapp.com", "wa.me"),
    Entry("Telegram", .social, "telegram.org", "t.me", from: .matomo),
    Entry("Discord", .social, "discord.com", "discordapp.com"),
    Entry("LINE", .social, "line.me"),
    Entry("WeChat", .social, "weixin.qq.com", "wechat.com"),
    Entry("Weibo", .social, "weibo.com", "weibo.cn", "t.cn", from: .matomo),
    Entry("VK", .social, "vk.com", "vk.ru", from: .matomo),
    Entry("Odnoklassniki", .social, "ok.ru", from: .matomo),
    Entry("Tumblr", .social, "tumblr.com", from: .matomo),
    Entry("Quora", .social, "quora.com"),
    Entry("Xing", .social, "xing.com", from: .matomo),
    Entry("Bluesky", .social, "bsky.app"),
    Entry("Mastodon", .social, "mastodon.social", from: .matomo),
    Entry("Twitch", .social, "twitch.tv"),
    Entry("Nextdoor", .social, "nextdoor.com"),
    Entry("Zhihu", .social, "zhihu.com"),
    Entry("Douban", .social, "douban.com", from: .matomo),
    Entry("Hacker News", .social, "news.ycombinator.com", from: .matomo),
    Entry("Microsoft Teams", .social, "teams.microsoft.com"),
    Entry("Slack", .social, "slack.com"),
  ]

  private static let mailboxes = [
    Entry("Gmail", .mail, "mail.google.com"),
    Entry("Outlook", .mail, "outlook.live.com", "outlook.office.com", "outlook.office365.com"),
    Entry("Yahoo! Mail", .mail, "mail.yahoo.com", "mail.yahoo.co.jp"),
    Entry("iCloud Mail", .mail, "icloud.com"),
    Entry("AOL Mail", .mail, "mail.aol.com"),
    Entry("Proton Mail", .mail, "mail.proton.me"),
    Entry("Fastmail", .mail, "fastmail.com"),
    Entry("GMX and WEB.DE", .mail, "gmx.net", "web.de"),
    Entry("Yandex Mail", .mail, "mail.yandex.ru", "mail.yandex.com"),
    Entry("Mail.ru", .mail, "e.mail.ru"),
    Entry("Naver Mail", .mail, "mail.naver.com"),
    Entry("QQ Mail", .mail, "mail.qq.com"),
  ]

  private static let adverts = [
    Entry(
      "Google Ads", .advert, "googleadservices.com", "doubleclick.net", "googlesyndication.com",
      "adservice.google.com", "2mdn.net"),
    Entry("Microsoft Advertising", .advert, "msads.net", "adnxs.com"),
    Entry("Amazon Ads", .advert, "amazon-adsystem.com"),
    Entry("Criteo", .advert, "criteo.com", "criteo.net"),
    Entry("Taboola", .advert, "taboola.com"),
    Entry("Outbrain", .advert, "outbrain.com"),
    Entry("The Trade Desk", .advert, "adsrvr.org"),
    Entry("AppLovin", .advert, "applovin.com"),
    Entry("Unity Ads", .advert, "unityads.unity3d.com"),
  ]

  /// The table of these hosts in Markdown.
  static var markdown: String {
    var lines = ["| site | kind | hosts | found in |", "| --- | --- | --- | --- |"]
    for entry in entries {
      let names = entry.names.map { "`\($0)`" }.joined(separator: ", ")
      let sources = entry.sources.map(\.markdown).joined(separator: ", ")
      lines.append("| \(entry.owner) | `\(entry.kind.name)` | \(names) | \(sources) |")
    }
    return lines.joined(separator: "\n")
  }
}
