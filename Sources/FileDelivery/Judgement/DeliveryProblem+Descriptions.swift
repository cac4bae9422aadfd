internal import LinkAuditing

extension DeliveryProblem.Code {
  /// What there is to know about this kind of problems.
  public var description: DeliveryProblem.Description {
    connectionDescription ?? answerDescription ?? bodyDescription ?? comparisonDescription
  }

  private typealias Description = DeliveryProblem.Description

  private static let unasked =
    "Without an answer nobody gets the file: apps that are installed now get no links, and those "
    + "that have the file keep what they have."
  private static let untrusted =
    "Apple's systems take the file over a connection that they trust only; they have no way to "
    + "make an exception."

  private var connectionDescription: DeliveryProblem.Description? {
    switch self {
    case .nameNotResolved:
      Description(
        severity: .error, condition: "the host's name has no address", why: Self.unasked,
        remedy: "Look for a slip in the name, and for its A and AAAA records.")
    case .connectionRefused:
      Description(
        severity: .error, condition: "nothing accepts connections on the port of HTTPS",
        why: Self.unasked,
        remedy:
          "Start the server, and have it listen on the port of HTTPS, 443, or the one of '--base-url'."
      )
    case .unreachable:
      Description(
        severity: .error, condition: "no connection comes about for another reason",
        why: Self.unasked,
        remedy: "Look at the network between here and the server: its routes and firewalls.")
    case .timedOut:
      Description(
        severity: .error, condition: "no answer begins within `--timeout`", why: Self.unasked,
        remedy: "Look at the server's load, and for a firewall that drops packets. Apple's CDN "
          + "gives up after a while, too.")
    case .noAnswer:
      Description(
        severity: .error, condition: "the server ends the connection before it answers",
        why: Self.unasked,
        remedy: "Look into the server's error log; a filter in front of it may end connections "
          + "of clients that it doesn't know.")
    case .notHTTP:
      Description(
        severity: .error, condition: "what the server sends is not HTTP", why: Self.unasked,
        remedy: "See what listens on the port, and what stands in front of it.")
    case .oldTLS:
      Description(
        severity: .error, condition: "the server has no version of TLS from 1.2 on",
        why: "Apple's systems speak TLS 1.2 and later.",
        remedy: "Switch on TLS 1.2 and 1.3 in the server.")
    case .tlsFailed:
      Description(
        severity: .error, condition: "TLS fails for another reason than the certificate",
        why: Self.untrusted,
        remedy: "Try 'openssl s_client -connect HOST:443 -servername HOST', and look into the "
          + "server's error log.")
    case .certificateExpired:
      Description(
        severity: .error, condition: "the certificate was valid in the past", why: Self.untrusted,
        remedy: "Renew the certificate, and see why that didn't happen by itself.")
    case .certificateNotYetValid:
      Description(
        severity: .error, condition: "the certificate will be valid in the future",
        why: Self.untrusted,
        remedy: "Take the certificate that is valid now; compare the clocks of both machines.")
    case .certificateWrongHost:
      Description(
        severity: .error, condition: "the certificate is for other hosts", why: Self.untrusted,
        remedy: "Have the host's name added to the certificate, or have the server choose "
          + "another one for this name (SNI).")
    case .certificateSelfSigned:
      Description(
        severity: .error, condition: "nobody but its owner vouches for the certificate",
        why: Self.untrusted,
        remedy: "Get a certificate of an authority that Apple's systems know. For a server of "
          + "your own tests, name it with '--ca-certificate FILE'.")
    case .certificateUnknownAuthority:
      Description(
        severity: .error, condition: "no authority that is known vouches for the certificate",
        why: Self.untrusted,
        remedy: "Have the server send the intermediate certificates, too ('fullchain'), of an "
          + "authority that Apple's systems know. Name one of your own with "
          + "'--ca-certificate FILE'.")
    case .notEncrypted:
      Description(
        severity: .note, condition: "`--base-url` says `http://`",
        why: "Systems ask by HTTPS only, so what concerns certificates was not looked at.",
        remedy: "Ask again with 'https://' before you rely on it.")
    default: nil
    }
  }

  private var answerDescription: DeliveryProblem.Description? {
    switch self {
    case .redirected:
      Description(
        severity: .error, condition: "the answer is a redirect; it is not followed",
        why: "Apple says that the file must be served without redirects.",
        remedy: "Serve the file itself with status 200 on this host, under this path. Have rules "
          + "that redirect, to another host, to a language, to a login, leave it out.")
    case .notFound:
      Description(
        severity: .error, condition: "the status is 404 or 410",
        why: "Where there is no file, no app is associated with the host.",
        remedy: "Put the file there, without an extension; see that the server doesn't hide "
          + "folders whose names begin with a full stop.")
    case .forbidden:
      Description(
        severity: .error, condition: "the status is 401, 403, 407, 429 or 451",
        why: "Apple's CDN and devices have no credentials, and come from anywhere.",
        remedy: "Let everybody have this path: no login, no filter by country, address or user "
          + "agent. Apple's fetcher names itself AASA-Bot.")
    case .serverError:
      Description(
        severity: .error, condition: "the status is 500 or more",
        why: "Apple's CDN remembers failures, too, and devices that ask it meanwhile get none.",
        remedy: "Look into the server's error log.")
    case .unexpectedStatus:
      Description(
        severity: .error, condition: "the status is another one than 200",
        why: "A file comes with status 200; what systems make of others is not documented.",
        remedy: "Serve the file with status 200.")
    case .onlyAtRoot:
      Description(
        severity: .error,
        condition: "the file is at `/apple-app-site-association`, and not in `/.well-known`",
        why: "From iOS 14 on, neither Apple's CDN nor devices look there.",
        remedy: "Serve the file at '/.well-known/apple-app-site-association', too.")
    case .cdnRefused:
      Description(
        severity: .error, condition: "Apple's CDN has no file of the host, and may say why",
        why: "Devices that are told so stop there; they don't ask the site.",
        remedy: "Mend what the CDN complains about, and wait until it asks the site again, "
          + "within a day.")
    default: nil
    }
  }

  private var bodyDescription: DeliveryProblem.Description? {
    switch self {
    case .tooSlow:
      Description(
        severity: .error, condition: "the answer is not complete within `--timeout`",
        why: "Apple's CDN gives up after a while, too; how long that is, is not documented.",
        remedy: "Serve the file as a static one, from memory or disk.")
    case .bodyCut:
      Description(
        severity: .error, condition: "the connection ends within the file",
        why: "Part of a file is no file.",
        remedy: "Compare 'Content-Length' with the file's size: it is that of what is sent, "
          + "after compression.")
    case .tooLarge:
      Description(
        severity: .error, condition: "the file has more than 131,072 bytes when decompressed",
        why: "Systems stop reading there and have no file then.",
        remedy: "Bring rules together with wildcards, 'defaults' and 'substitutionVariables', "
          + "and leave white space and comments out.")
    case .notGzip:
      Description(
        severity: .error, condition: "`Content-Encoding` says gzip, and the body is not",
        why: "Clients decompress what is said to be compressed, and fail.",
        remedy: "Leave 'Content-Encoding' out for this path, or let the server compress by "
          + "itself.")
    case .gzipDamaged:
      Description(
        severity: .error, condition: "the body is damaged gzip",
        why: "Clients decompress what is said to be compressed, and fail.",
        remedy: "Compress the file again, and compare its checksum with what is served.")
    case .gzipUnannounced:
      Description(
        severity: .error, condition: "the body is gzip, and no `Content-Encoding` says so",
        why: "Clients take the compressed bytes for the file.",
        remedy: "Upload the file uncompressed, or add 'Content-Encoding: gzip'.")
    case .codingNotAskedFor:
      Description(
        severity: .error, condition: "`Content-Encoding` names a coding that was not asked for",
        why: "Clients need not know it; linkaudit asks for gzip only.",
        remedy: "Compress only as 'Accept-Encoding' allows, and send 'Vary: Accept-Encoding' "
          + "where caches keep the answer.")
    case .emptyFile:
      Description(
        severity: .error, condition: "there are no bytes", why: "Nothing is no JSON object.",
        remedy: "Upload the file again.")
    case .htmlPage:
      Description(
        severity: .error, condition: "the file is an HTML or XML page",
        why: "Systems read JSON only. A page with status 200 often stands for an error.",
        remedy: "Have the server pass this path to the file, not to the web app that shows a "
          + "page for everything.")
    case .notJSON:
      Description(
        severity: .error, condition: "the file is not JSON",
        why: "Systems read all of a file or nothing.",
        remedy: "Mend the place that is named; see what the build or the editor adds.")
    case .notAnObject:
      Description(
        severity: .error, condition: "the file is JSON, and not an object",
        why: "Systems look for 'applinks' in an object.",
        remedy: "Put the file into the form that Apple documents.")
    case .lenientJSON:
      Description(
        severity: .warning,
        condition: "the file has a byte order mark, is UTF-16 or UTF-32, or has a comma before a "
          + "closing bracket",
        why: "JSON does not allow it. Apple's systems accept it; other tools reject the file, and "
          + "Apple's CDN may reject it, too.",
        remedy: "Save the file as UTF-8 without a byte order mark, and remove such commas.")
    case .signed:
      Description(
        severity: .note, condition: "the file is signed (CMS in DER)",
        why: "Signing was for iOS 8; Apple has advised against it since 2019.",
        remedy: "Serve the JSON itself.")
    case .contentType:
      Description(
        severity: .note, exception: "warning for a type that a browser would show as a page",
        condition: "the type is not `application/json`, nor `application/pkcs7-mime` for a "
          + "signed file",
        why: "Apple asks for it; systems have read files of other types so far.",
        remedy: "Serve this path as 'application/json'; without an extension, servers have to be "
          + "told.")
    case .claimsNothing:
      Description(
        severity: .warning, condition: "no app is named in `applinks`",
        why: "Such a file opens no app for links, whatever else it is for.",
        remedy: "See that it is the right file.")
    default: nil
    }
  }

  private var comparisonDescription: DeliveryProblem.Description {
    switch self {
    case .cdnOutdated:
      Description(
        severity: .warning, exception: "error if the site's file changed more than a day ago",
        condition: "Apple's CDN has a file from before the site's last change, and URLs change "
          + "their verdicts",
        why: "Devices ask the CDN, which asks the site again within a day; they then need about "
          + "a week.",
        remedy: "Wait for a day. Then see whether the CDN is let in: its fetcher names itself "
          + "AASA-Bot. '?mode=developer' in the app's entitlement asks the site at once.")
    case .cdnSameMeaning:
      Description(
        severity: .note, condition: "Apple's CDN has other bytes that mean the same for links",
        why: "No URL changes its verdict; other parts of the file may differ.",
        remedy: "Nothing is to be done for links.")
    default:
      Description(
        severity: .warning,
        condition: "Apple's CDN has another file than the site, and it can't be told that it is "
          + "older",
        why: "Devices ask the CDN, so they follow other rules than the site's.",
        remedy: "See whether all servers behind the host serve the same file, whatever the user "
          + "agent and the country. If it was changed just now, wait for a day.")
    }
  }
}
