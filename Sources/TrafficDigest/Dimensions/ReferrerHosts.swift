/// The kind of site with the link of a request, on another host.
///
/// Digests hold the numbers of the cases in four bits (``Dimensions``), so a new case is the last one,
/// and there can be 16.
public enum ReferrerKind: UInt8, BitwiseCopyable, CaseIterable, Hashable, Sendable {
  /// There is no referrer on another host, or its kind isn't recorded.
  case unknown

  /// Another host of the site's owner: a given one, or one under the same registered domain.
  case ownHost

  /// A host that redirects: a click tracker, a link shortener, or the link filter of a mail
  /// service.
  case tracker

  /// A search engine.
  case search

  /// A social site, or the host that redirects its links.
  case social

  /// A webmail service.
  case mail

  /// An advertising network.
  case advert

  /// Any other site, or a referrer that isn't a URL of the web.
  case other

  /// The name in reports.
  public var name: String { String(describing: self) }
}

// A test compares Documentation/Causes.md, which also says where hosts were found, with these lists.
extension ReferrerKind {
  /// The kinds of sites by names of hosts.
  ///
  /// Each name includes all hosts below it. `google.*` means `google` under any top-level domain,
  /// such as `google.de` and `google.co.uk`. If a host is under several names, the longest one
  /// decides.
  static var hosts: [(name: String, kind: ReferrerKind)] {
    sites.flatMap { kind, sites in sites.flatMap(\.value).map { ($0, kind) } }
  }

  static let sites: KeyValuePairs<ReferrerKind, KeyValuePairs<String, [String]>> = [
    .tracker: [
      // Mail services.
      "HubSpot": [
        "hubspotlinks.com", "hubspotlinksfree.com", "hubspotlinksstarter.com", "hubspotemail.net",
        "hs-email-click.com", "hubs.ly", "hubs.la", "hubs.li",
      ],
      "Mailchimp": ["list-manage.com", "mailchi.mp", "eepurl.com", "mandrillapp.com"],
      "SendGrid": ["sendgrid.net"],
      "SparkPost": ["sparkpostmail.com", "spgo.io"],
      "Mailgun": ["mailgun.org", "mailgun.net", "mgsend.net"],
      "Postmark": ["pstmrk.it", "mtasv.net"],
      "Amazon SES": ["awstrack.me"],
      "Brevo": [
        "sendibm1.com", "sendibm2.com", "sendibm3.com", "sendibm4.com", "sendibt2.com",
        "sendibt3.com", "sendibw.com",
      ],
      "Campaign Monitor": [
        "createsend.com", "createsend1.com", "cmail1.com", "cmail2.com", "cmail19.com",
        "cmail20.com",
      ],
      "Constant Contact": ["rs6.net"],
      "Klaviyo": [
        "klclick.com", "klclick1.com", "klclick2.com", "klclick3.com", "klaviyomail.com",
        "kmail-lists.com",
      ],
      "Salesforce": ["exct.net", "exacttarget.com", "pardot.com"],
      "Adobe Marketo": ["mktoweb.com", "mktdns.com", "mktomail.com"],
      "Oracle": ["en25.com", "eloqua.com", "responsys.net"],
      "Iterable": ["links.iterable.com"],
      "Customer.io": ["customeriomail.com"],
      "Mailjet": ["mjt.lu"],
      "ActiveCampaign": ["acemlna.com", "acemlnb.com", "acemlnc.com", "acemlnd.com"],
      "Kit": ["convertkit-mail.com", "convertkit-mail2.com", "convertkit-mail4.com"],
      "MailerLite": ["mlsend.com", "mlsend2.com", "click.mailerlite.com"],
      "AWeber": ["clicks.aweber.com"],
      "beehiiv": ["link.mail.beehiiv.com"],
      "Substack": ["links.substack.com", "email.substack.com"],
      "Intercom": ["intercom-clicks.com", "intercom-mail.com", "via.intercom.io"],
      // Mail filters, which open links on behalf of their readers.
      "Microsoft Safe Links": ["safelinks.protection.outlook.com"],
      "Proofpoint": ["urldefense.com", "urldefense.proofpoint.com"],
      "Mimecast": ["mimecastprotect.com", "mimecast.com"],
      "Barracuda": ["linkprotect.cudasvc.com"],
      // Deep link services.
      "Branch": ["app.link", "bnc.lt"],
      "AppsFlyer": ["onelink.me", "app.appsflyer.com"],
      "Adjust": ["adj.st", "go.link", "app.adjust.com"],
      "Kochava": ["smart.link", "control.kochava.com"],
      "Singular": ["sng.link"],
      "Firebase": ["page.link", "app.goo.gl"],
      // Shorteners.
      "Bitly": ["bit.ly", "bitly.com", "j.mp"],
      "Rebrandly": ["rebrand.ly"],
      "TinyURL": ["tinyurl.com"],
      "Hootsuite": ["ow.ly"],
      "Buffer": ["buff.ly"],
      "Google": ["goo.gl"],
      "other shorteners": [
        "cutt.ly", "dlvr.it", "is.gd", "rb.gy", "short.gy", "t.ly", "trib.al", "v.gd",
      ],
      // Affiliate networks.
      "Awin": ["awin1.com"],
      "CJ": ["anrdoezrs.net", "dpbolvw.net", "jdoqocy.com", "kqzyfj.com", "tkqlhce.com"],
      "Impact": ["pxf.io", "sjv.io"],
      "Partnerize": ["prf.hn"],
      "Rakuten": ["linksynergy.com"],
      "ShareASale": ["shareasale.com"],
      "Skimlinks": ["skimresources.com"],
      "Sovrn": ["redirect.viglink.com"],
      "Tradedoubler": ["tradedoubler.com"],
    ],
    .search: [
      "Google": ["google.*"],
      "Bing": ["bing.com"],
      "Yahoo!": ["search.yahoo.com", "search.yahoo.co.jp", "r.search.yahoo.com"],
      "DuckDuckGo": ["duckduckgo.com", "duck.com"],
      "Yandex": ["yandex.*", "ya.ru"],
      "Baidu": ["baidu.com"],
      "Ecosia": ["ecosia.org"],
      "Qwant": ["qwant.com"],
      "Startpage": ["startpage.com"],
      "Brave": ["search.brave.com"],
      "Naver": ["search.naver.com"],
      "Daum": ["search.daum.net"],
      "Seznam": ["search.seznam.cz"],
      "Sogou": ["sogou.com"],
      "360": ["so.com"],
      "Ask": ["ask.com"],
      "AOL": ["search.aol.com"],
      "Kagi": ["kagi.com"],
      "Mojeek": ["mojeek.com"],
      "Swisscows": ["swisscows.com"],
      "Petal": ["petalsearch.com"],
      "ChatGPT": ["chatgpt.com", "chat.openai.com"],
      "Perplexity": ["perplexity.ai"],
      "Copilot": ["copilot.microsoft.com"],
      "Claude": ["claude.ai"],
    ],
    .social: [
      "Facebook": ["facebook.com", "fb.com", "fb.me"],
      "Messenger": ["messenger.com", "m.me"],
      "Instagram": ["instagram.com"],
      "Threads": ["threads.net", "threads.com"],
      "X": ["t.co", "twitter.com", "x.com"],
      "LinkedIn": ["linkedin.com", "lnkd.in"],
      "Pinterest": ["pinterest.*", "pin.it"],
      "Reddit": ["reddit.com", "redd.it"],
      "TikTok": ["tiktok.com"],
      "YouTube": ["youtube.com", "youtu.be"],
      "Snapchat": ["snapchat.com"],
      "WhatsApp": ["whatsapp.com", "wa.me"],
      "Telegram": ["telegram.org", "t.me"],
      "Discord": ["discord.com", "discordapp.com"],
      "LINE": ["line.me"],
      "WeChat": ["weixin.qq.com", "wechat.com"],
      "Weibo": ["weibo.com", "weibo.cn", "t.cn"],
      "VK": ["vk.com", "vk.ru"],
      "Odnoklassniki": ["ok.ru"],
      "Tumblr": ["tumblr.com"],
      "Quora": ["quora.com"],
      "Xing": ["xing.com"],
      "Bluesky": ["bsky.app"],
      "Mastodon": ["mastodon.social"],
      "Twitch": ["twitch.tv"],
      "Nextdoor": ["nextdoor.com"],
      "Zhihu": ["zhihu.com"],
      "Douban": ["douban.com"],
      "Hacker News": ["news.ycombinator.com"],
      "Microsoft Teams": ["teams.microsoft.com"],
      "Slack": ["slack.com"],
    ],
    .mail: [
      "Gmail": ["mail.google.com"],
      "Outlook": ["outlook.live.com", "outlook.office.com", "outlook.office365.com"],
      "Yahoo! Mail": ["mail.yahoo.com", "mail.yahoo.co.jp"],
      "iCloud Mail": ["icloud.com"],
      "AOL Mail": ["mail.aol.com"],
      "Proton Mail": ["mail.proton.me"],
      "Fastmail": ["fastmail.com"],
      "GMX and WEB.DE": ["gmx.net", "web.de"],
      "Yandex Mail": ["mail.yandex.ru", "mail.yandex.com"],
      "Mail.ru": ["e.mail.ru"],
      "Naver Mail": ["mail.naver.com"],
      "QQ Mail": ["mail.qq.com"],
    ],
    .advert: [
      "Google Ads": [
        "googleadservices.com", "doubleclick.net", "googlesyndication.com", "adservice.google.com",
        "2mdn.net",
      ],
      "Microsoft Advertising": ["msads.net", "adnxs.com"],
      "Amazon Ads": ["amazon-adsystem.com"],
      "Criteo": ["criteo.com", "criteo.net"],
      "Taboola": ["taboola.com"],
      "Outbrain": ["outbrain.com"],
      "The Trade Desk": ["adsrvr.org"],
      "AppLovin": ["applovin.com"],
      "Unity Ads": ["unityads.unity3d.com"],
    ],
  ]
}
