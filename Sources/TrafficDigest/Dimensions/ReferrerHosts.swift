// A test compares the tables of Documentation/Causes.md with these lists.
extension ReferrerKind {
  /// The kinds of sites by names of hosts.
  ///
  /// Each name includes all hosts below it. `google.*` means `google` under any top-level domain,
  /// such as `google.de` and `google.co.uk`. If a host is under several names, the longest one
  /// decides.
  static var hosts: [(name: String, kind: ReferrerKind)] {
    sites.flatMap { kind, sites in sites.flatMap(\.words).map { ($0, kind) } }
  }

  static let sites: [(kind: ReferrerKind, sites: [ListedName])] = [
    (.tracker, trackers), (.search, searchEngines), (.social, socialSites), (.mail, mailboxes),
    (.advert, adverts),
  ]

  private static let trackers: [ListedName] = [
    // Mail services.
    .init(
      "HubSpot", "hubspotlinks.com", "hubspotlinksfree.com", "hubspotlinksstarter.com",
      "hubspotemail.net", "hs-email-click.com", "hubs.ly", "hubs.la", "hubs.li",
      from: .mailTrackers, .shorteners),
    .init(
      "Mailchimp", "list-manage.com", "mailchi.mp", "eepurl.com", "mandrillapp.com",
      from: .mailTrackers, .shorteners),
    .init(
      "SendGrid", "sendgrid.net",
      from: .page(
        "https://docs.sendgrid.com/ui/analytics-and-reporting/click-tracking-html-best-practices")),
    .init(
      "SparkPost", "sparkpostmail.com", "spgo.io",
      from: .page("https://developers.sparkpost.com/api/tracking-domains")),
    .init("Mailgun", "mailgun.org", "mailgun.net", "mgsend.net"),
    .init("Postmark", "pstmrk.it", "mtasv.net"),
    .init(
      "Amazon SES", "awstrack.me",
      from: .page(
        "https://docs.aws.amazon.com/ses/latest/dg/configure-custom-open-click-domains.html"),
      .mailTrackers),
    .init(
      "Brevo", "sendibm1.com", "sendibm2.com", "sendibm3.com", "sendibm4.com",
      "sendibt2.com", "sendibt3.com", "sendibw.com"),
    .init(
      "Campaign Monitor", "createsend.com", "createsend1.com", "cmail1.com", "cmail2.com",
      "cmail19.com", "cmail20.com", from: .mailTrackers),
    .init("Constant Contact", "rs6.net", from: .mailTrackers),
    .init(
      "Klaviyo", "klclick.com", "klclick1.com", "klclick2.com", "klclick3.com",
      "klaviyomail.com", "kmail-lists.com", from: .mailTrackers),
    .init("Salesforce", "exct.net", "exacttarget.com", "pardot.com"),
    .init("Adobe Marketo", "mktoweb.com", "mktdns.com", "mktomail.com"),
    .init("Oracle", "en25.com", "eloqua.com", "responsys.net"),
    .init("Iterable", "links.iterable.com"),
    .init(
      "Customer.io", "customeriomail.com",
      from: .page("https://docs.customer.io/journeys/universal-links"), .mailTrackers),
    .init("Mailjet", "mjt.lu", from: .mailTrackers),
    .init(
      "ActiveCampaign", "acemlna.com", "acemlnb.com", "acemlnc.com", "acemlnd.com",
      from: .mailTrackers),
    .init(
      "Kit", "convertkit-mail.com", "convertkit-mail2.com", "convertkit-mail4.com",
      from: .mailTrackers),
    .init("MailerLite", "mlsend.com", "mlsend2.com", "click.mailerlite.com"),
    .init("AWeber", "clicks.aweber.com"),
    .init("beehiiv", "link.mail.beehiiv.com"),
    .init("Substack", "links.substack.com", "email.substack.com"),
    .init(
      "Intercom", "intercom-clicks.com", "intercom-mail.com", "via.intercom.io",
      from: .mailTrackers),
    // Mail filters, which open links on behalf of their readers.
    .init(
      "Microsoft Safe Links", "safelinks.protection.outlook.com",
      from: .page("https://learn.microsoft.com/en-us/defender-office-365/safe-links-about")),
    .init("Proofpoint", "urldefense.com", "urldefense.proofpoint.com"),
    .init("Mimecast", "mimecastprotect.com", "mimecast.com"),
    .init("Barracuda", "linkprotect.cudasvc.com"),
    // Deep link services.
    .init(
      "Branch", "app.link", "bnc.lt",
      from: .page("https://help.branch.io/using-branch/docs/zeta")),
    .init(
      "AppsFlyer", "onelink.me", "app.appsflyer.com",
      from: .page("https://support.appsflyer.com/hc/en-us/articles/360017132597")),
    .init("Adjust", "adj.st", "go.link", "app.adjust.com"),
    .init("Kochava", "smart.link", "control.kochava.com", from: .shorteners),
    .init("Singular", "sng.link"),
    .init(
      "Firebase", "page.link", "app.goo.gl",
      from: .page("https://firebase.google.com/docs/dynamic-links/create-links")),
    // Shorteners.
    .init("Bitly", "bit.ly", "bitly.com", "j.mp", from: .shorteners),
    .init("Rebrandly", "rebrand.ly", from: .shorteners),
    .init("TinyURL", "tinyurl.com", from: .shorteners),
    .init("Hootsuite", "ow.ly", from: .shorteners),
    .init("Buffer", "buff.ly", from: .shorteners),
    .init("Google", "goo.gl", from: .shorteners),
    .init(
      "other shorteners", "cutt.ly", "dlvr.it", "is.gd", "rb.gy", "short.gy", "t.ly",
      "trib.al", "v.gd", from: .shorteners),
    // Affiliate networks.
    .init("Awin", "awin1.com"),
    .init(
      "CJ", "anrdoezrs.net", "dpbolvw.net", "jdoqocy.com", "kqzyfj.com", "tkqlhce.com"),
    .init("Impact", "pxf.io", "sjv.io"),
    .init("Partnerize", "prf.hn", from: .shorteners),
    .init("Rakuten", "linksynergy.com"),
    .init("ShareASale", "shareasale.com"),
    .init("Skimlinks", "skimresources.com"),
    .init("Sovrn", "redirect.viglink.com"),
    .init("Tradedoubler", "tradedoubler.com"),
  ]

  private static let searchEngines: [ListedName] = [
    .init("Google", "google.*", from: .matomo),
    .init("Bing", "bing.com", from: .matomo),
    .init(
      "Yahoo!", "search.yahoo.com", "search.yahoo.co.jp", "r.search.yahoo.com",
      from: .matomo),
    .init("DuckDuckGo", "duckduckgo.com", "duck.com", from: .matomo),
    .init("Yandex", "yandex.*", "ya.ru", from: .matomo),
    .init("Baidu", "baidu.com", from: .matomo),
    .init("Ecosia", "ecosia.org", from: .matomo),
    .init("Qwant", "qwant.com", from: .matomo),
    .init("Startpage", "startpage.com", from: .matomo),
    .init("Brave", "search.brave.com", from: .matomo),
    .init("Naver", "search.naver.com", from: .matomo),
    .init("Daum", "search.daum.net", from: .matomo),
    .init("Seznam", "search.seznam.cz", from: .matomo),
    .init("Sogou", "sogou.com", from: .matomo),
    .init("360", "so.com", from: .matomo),
    .init("Ask", "ask.com", from: .matomo),
    .init("AOL", "search.aol.com", from: .matomo),
    .init("Kagi", "kagi.com"),
    .init("Mojeek", "mojeek.com", from: .matomo),
    .init("Swisscows", "swisscows.com", from: .matomo),
    .init("Petal", "petalsearch.com"),
    .init("ChatGPT", "chatgpt.com", "chat.openai.com"),
    .init("Perplexity", "perplexity.ai"),
    .init("Copilot", "copilot.microsoft.com"),
    .init("Claude", "claude.ai"),
  ]

  private static let socialSites: [ListedName] = [
    .init("Facebook", "facebook.com", "fb.com", "fb.me", from: .matomo),
    .init("Messenger", "messenger.com", "m.me"),
    .init("Instagram", "instagram.com", from: .matomo),
    .init("Threads", "threads.net", "threads.com"),
    .init("X", "t.co", "twitter.com", "x.com", from: .matomo),
    .init("LinkedIn", "linkedin.com", "lnkd.in", from: .matomo),
    .init("Pinterest", "pinterest.*", "pin.it", from: .matomo),
    .init("Reddit", "reddit.com", "redd.it", from: .matomo),
    .init("TikTok", "tiktok.com"),
    .init("YouTube", "youtube.com", "youtu.be", from: .matomo),
    .init("Snapchat", "snapchat.com"),
    .init("WhatsApp", "whatsapp.com", "wa.me"),
    .init("Telegram", "telegram.org", "t.me", from: .matomo),
    .init("Discord", "discord.com", "discordapp.com"),
    .init("LINE", "line.me"),
    .init("WeChat", "weixin.qq.com", "wechat.com"),
    .init("Weibo", "weibo.com", "weibo.cn", "t.cn", from: .matomo),
    .init("VK", "vk.com", "vk.ru", from: .matomo),
    .init("Odnoklassniki", "ok.ru", from: .matomo),
    .init("Tumblr", "tumblr.com", from: .matomo),
    .init("Quora", "quora.com"),
    .init("Xing", "xing.com", from: .matomo),
    .init("Bluesky", "bsky.app"),
    .init("Mastodon", "mastodon.social", from: .matomo),
    .init("Twitch", "twitch.tv"),
    .init("Nextdoor", "nextdoor.com"),
    .init("Zhihu", "zhihu.com"),
    .init("Douban", "douban.com", from: .matomo),
    .init("Hacker News", "news.ycombinator.com", from: .matomo),
    .init("Microsoft Teams", "teams.microsoft.com"),
    .init("Slack", "slack.com"),
  ]

  private static let mailboxes: [ListedName] = [
    .init("Gmail", "mail.google.com"),
    .init("Outlook", "outlook.live.com", "outlook.office.com", "outlook.office365.com"),
    .init("Yahoo! Mail", "mail.yahoo.com", "mail.yahoo.co.jp"),
    .init("iCloud Mail", "icloud.com"),
    .init("AOL Mail", "mail.aol.com"),
    .init("Proton Mail", "mail.proton.me"),
    .init("Fastmail", "fastmail.com"),
    .init("GMX and WEB.DE", "gmx.net", "web.de"),
    .init("Yandex Mail", "mail.yandex.ru", "mail.yandex.com"),
    .init("Mail.ru", "e.mail.ru"),
    .init("Naver Mail", "mail.naver.com"),
    .init("QQ Mail", "mail.qq.com"),
  ]

  private static let adverts: [ListedName] = [
    .init(
      "Google Ads", "googleadservices.com", "doubleclick.net", "googlesyndication.com",
      "adservice.google.com", "2mdn.net"),
    .init("Microsoft Advertising", "msads.net", "adnxs.com"),
    .init("Amazon Ads", "amazon-adsystem.com"),
    .init("Criteo", "criteo.com", "criteo.net"),
    .init("Taboola", "taboola.com"),
    .init("Outbrain", "outbrain.com"),
    .init("The Trade Desk", "adsrvr.org"),
    .init("AppLovin", "applovin.com"),
    .init("Unity Ads", "unityads.unity3d.com"),
  ]
}
