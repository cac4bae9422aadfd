public import UniversalLinks

extension DiagnosticCatalog {
  /// The kinds of problems of delivery.
  public static let delivery = DiagnosticCatalog([
    Group(
      .delivery, "Connections",
      [
        .nameNotResolved, .connectionRefused, .unreachable, .timedOut, .noAnswer,
        .notHTTP, .oldTLS, .tlsFailed, .certificateExpired, .certificateNotYetValid,
        .certificateWrongHost, .certificateSelfSigned, .certificateUnknownAuthority,
        .notEncrypted,
      ]),
    Group(
      .delivery, "Answers",
      [
        .redirected, .notFound, .forbidden, .serverError, .unexpectedStatus, .onlyAtRoot,
        .cdnRefused,
      ]),
    Group(
      .delivery, "Files",
      [
        .tooSlow, .bodyCut, .tooLarge, .notGzip, .gzipDamaged, .gzipUnannounced,
        .codingNotAskedFor, .emptyFile, .htmlPage, .notJSON, .notAnObject, .lenientJSON,
        .signed, .contentType, .claimsNothing,
      ]),
    Group(
      .delivery, "Copies of Apple's CDN",
      [
        .cdnOutdated, .cdnDiffers, .cdnSameMeaning,
      ]),
  ])
}

private let unasked = """
  Without an answer nobody gets the file: apps that are installed now get no links, and those \
  that have the file keep what they have.
  """

private let untrusted = """
  Apple's systems take the file over a connection that they trust only; they have no way to make \
  an exception.
  """

// MARK: - Connections

extension DiagnosticKind {
  static let nameNotResolved = DiagnosticKind(
    "name-not-resolved", .error, "The host's name has no address",
    meaning: unasked,
    remedy: "Check the spelling of the name, and its A and AAAA records.")

  static let connectionRefused = DiagnosticKind(
    "connection-refused", .error, "The server refuses connections",
    condition: "nothing accepts connections on the port of HTTPS",
    meaning: unasked,
    remedy: """
      Start the server, and have it listen on the port of HTTPS, 443, or the one of '--base-url'.
      """)

  static let unreachable = DiagnosticKind(
    "unreachable", .error, "The server cannot be reached",
    condition: "no connection comes about for another reason",
    meaning: unasked,
    remedy: "Look at the network between here and the server: its routes and firewalls.")

  static let timedOut = DiagnosticKind(
    "timed-out", .error, "No answer in time",
    condition: "no answer begins within `--timeout`",
    meaning: unasked,
    remedy: """
      Look at the server's load, and for a firewall that drops packets. Apple's CDN gives up after \
      a while, too.
      """)

  static let noAnswer = DiagnosticKind(
    "no-answer", .error, "The connection ends without an answer",
    condition: "the server ends the connection before it answers",
    meaning: unasked,
    remedy: """
      Look into the server's error log; a filter before it may end connections of clients \
      that it doesn't know.
      """)

  static let notHTTP = DiagnosticKind(
    "not-http", .error, "The answer is not HTTP",
    condition: "what the server sends is not HTTP",
    meaning: unasked,
    remedy: "See what listens on the port, and what is in front of it.")

  static let oldTLS = DiagnosticKind(
    "old-tls", .error, "The server has no TLS 1.2 or later",
    condition: "the server has no version of TLS from 1.2 on",
    meaning: "Apple's systems speak TLS 1.2 and later.",
    remedy: "Switch on TLS 1.2 and 1.3 in the server.")

  static let tlsFailed = DiagnosticKind(
    "tls-failed", .error, "The TLS connection fails",
    condition: "TLS fails for another reason than the certificate",
    meaning: untrusted,
    remedy: """
      Try 'openssl s_client -connect HOST:443 -servername HOST', and look into the server's error \
      log.
      """)

  static let certificateExpired = DiagnosticKind(
    "certificate-expired", .error, "The certificate has expired",
    condition: "the certificate was valid in the past",
    meaning: untrusted,
    remedy: "Renew the certificate, and see why that didn't happen by itself.")

  static let certificateNotYetValid = DiagnosticKind(
    "certificate-not-yet-valid", .error, "The certificate is not valid yet",
    condition: "the certificate will be valid in the future",
    meaning: untrusted,
    remedy: "Take the certificate that is valid now; compare the clocks of both machines.")

  static let certificateWrongHost = DiagnosticKind(
    "certificate-wrong-host", .error, "The certificate is for other hosts",
    meaning: untrusted,
    remedy: """
      Have the host's name added to the certificate, or have the server choose another one for \
      this name (SNI).
      """)

  static let certificateSelfSigned = DiagnosticKind(
    "certificate-self-signed", .error, "The certificate is self-signed",
    condition: "nobody but its owner vouches for the certificate",
    meaning: untrusted,
    remedy: """
      Get a certificate of an authority that Apple's systems know. For a server of your own tests, \
      name it with '--ca-certificate FILE'.
      """)

  static let certificateUnknownAuthority = DiagnosticKind(
    "certificate-unknown-authority", .error, "The certificate's authority is unknown",
    condition: "no authority that is known vouches for the certificate",
    meaning: untrusted,
    remedy: """
      Have the server send the intermediate certificates, too ('fullchain'), of an authority that \
      Apple's systems know. Name one of your own with '--ca-certificate FILE'.
      """)

  static let notEncrypted = DiagnosticKind(
    "not-encrypted", .note, "The server was asked without encryption",
    condition: "`--base-url` says `http://`",
    meaning: "Systems ask by HTTPS only, so what concerns certificates was not looked at.",
    remedy: "Ask again with 'https://' before you rely on it.")
}

// MARK: - Answers

extension DiagnosticKind {
  static let redirected = DiagnosticKind(
    "redirected", .error, "The file is redirected",
    condition: "the answer is a redirect; it is not followed",
    meaning: "Apple says that the file must be served without redirects.",
    remedy: """
      Serve the file itself with status 200 on this host, under this path. Have rules that \
      redirect, to another host, to a language, to a login, leave it out.
      """)

  static let notFound = DiagnosticKind(
    "not-found", .error, "There is no file",
    condition: "the status is 404 or 410",
    meaning: "Where there is no file, no app is associated with the host.",
    remedy: """
      Put the file there, without an extension; see that the server doesn't hide folders whose \
      names begin with a full stop.
      """)

  static let forbidden = DiagnosticKind(
    "forbidden", .error, "Access to the file is restricted",
    condition: "the status is 401, 403, 407, 429 or 451",
    meaning: "Apple's CDN and devices have no credentials, and come from anywhere.",
    remedy: """
      Let everybody have this path: no login, no filter by country, address or user agent. Apple's \
      fetcher names itself AASA-Bot.
      """)

  static let serverError = DiagnosticKind(
    "server-error", .error, "The server reports an error",
    condition: "the status is 500 or more",
    meaning: "Apple's CDN remembers failures, too, and devices that ask it meanwhile get none.",
    remedy: "Look into the server's error log.")

  static let unexpectedStatus = DiagnosticKind(
    "unexpected-status", .error, "The status is not 200",
    condition: "the status is another one than 200",
    meaning: "A file comes with status 200; what systems make of others is not documented.",
    remedy: "Serve the file with status 200.")

  static let onlyAtRoot = DiagnosticKind(
    "only-at-root", .error, "The file is at the root path only",
    condition: "the file is at `/apple-app-site-association`, and not in `/.well-known`",
    meaning: "From iOS 14 on, neither Apple's CDN nor devices look there.",
    remedy: "Serve the file at '/.well-known/apple-app-site-association', too.")

  static let cdnRefused = DiagnosticKind(
    "cdn-refused", .error, "Apple's CDN has no file",
    condition: "Apple's CDN has no file of the host, and may say why",
    meaning: "Devices that are told so stop there; they don't ask the site.",
    remedy: """
      Fix what the CDN complains about, and wait until it asks the site again, within a day.
      """)
}

// MARK: - Files

extension DiagnosticKind {
  static let tooSlow = DiagnosticKind(
    "too-slow", .error, "The file arrives too slowly",
    condition: "the answer is not complete within `--timeout`",
    meaning: "Apple's CDN gives up after a while, too; how long that is, is not documented.",
    remedy: "Serve the file as a static one, from memory or disk.")

  static let bodyCut = DiagnosticKind(
    "body-cut", .error, "The file is cut off",
    condition: "the connection ends within the file",
    meaning: "Part of a file is no file.",
    remedy: """
      Compare 'Content-Length' with the file's size: it is that of what is sent, after \
      compression.
      """)

  static let tooLarge = DiagnosticKind(
    "too-large", .error, "The file is too large",
    condition: "the file has more than 131,072 bytes when decompressed",
    meaning: "Systems stop reading there and have no file then.",
    remedy: """
      Bring rules together with wildcards, 'defaults' and 'substitutionVariables', and leave white \
      space and comments out.
      """)

  static let notGzip = DiagnosticKind(
    "not-gzip", .error, "The file is not compressed as announced",
    condition: "`Content-Encoding` says gzip, and the body is not",
    meaning: "Clients decompress what is said to be compressed, and fail.",
    remedy: "Leave 'Content-Encoding' out for this path, or let the server compress by itself.")

  static let gzipDamaged = DiagnosticKind(
    "gzip-damaged", .error, "The compressed file is damaged",
    condition: "the body is damaged gzip",
    meaning: "Clients decompress what is said to be compressed, and fail.",
    remedy: "Compress the file again, and compare its checksum with what is served.")

  static let gzipUnannounced = DiagnosticKind(
    "gzip-unannounced", .error, "The compression is not announced",
    condition: "the body is gzip, and no `Content-Encoding` says so",
    meaning: "Clients take the compressed bytes for the file.",
    remedy: "Upload the file uncompressed, or add 'Content-Encoding: gzip'.")

  static let codingNotAskedFor = DiagnosticKind(
    "coding-not-asked-for", .error, "The compression was not requested",
    condition: "`Content-Encoding` names a coding that was not asked for",
    meaning: "Clients need not know it; linkaudit asks for gzip only.",
    remedy: """
      Compress only as 'Accept-Encoding' allows, and send 'Vary: Accept-Encoding' where caches \
      keep the answer.
      """)

  static let emptyFile = DiagnosticKind(
    "empty-file", .error, "The file is empty",
    condition: "there are no bytes",
    meaning: "Nothing is no JSON object.",
    remedy: "Upload the file again.")

  static let htmlPage = DiagnosticKind(
    "html-page", .error, "The file is an HTML page",
    condition: "the file is an HTML or XML page",
    meaning: "Systems read JSON only. A page with status 200 often stands for an error.",
    remedy: """
      Have the server pass this path to the file, not to the web app that shows a page for \
      everything.
      """)

  static let notJSON = DiagnosticKind(
    "not-json", .error, "The file is not JSON",
    meaning: "Systems read all of a file or nothing.",
    remedy: "Fix the place that is named; see what the build or the editor adds.")

  static let notAnObject = DiagnosticKind(
    "not-an-object", .error, "The file is not an object",
    condition: "the file is JSON, and not an object",
    meaning: "Systems look for 'applinks' in an object.",
    remedy: "Put the file into the form that Apple documents.")

  static let lenientJSON = DiagnosticKind(
    "lenient-json", .warning, "The file is not strict JSON",
    condition: """
      the file has a byte order mark, is UTF-16 or UTF-32, or has a comma before a closing bracket
      """,
    meaning: """
      JSON does not allow it. Apple's systems accept it; other tools reject the file, and Apple's \
      CDN may reject it, too.
      """,
    remedy: "Save the file as UTF-8 without a byte order mark, and remove such commas.")

  static let signed = DiagnosticKind(
    "signed", .note, "The file is signed",
    condition: "the file is signed (CMS in DER)",
    meaning: "Signing was for iOS 8; Apple has advised against it since 2019.",
    remedy: "Serve the JSON itself.")

  static let contentType = DiagnosticKind(
    "content-type", .note,
    except: "warning for a type that a browser would show as a page",
    "The content type is not that of JSON",
    condition: "the type is not `application/json`, nor `application/pkcs7-mime` for a signed file",
    meaning: "Apple asks for it; systems have read files of other types so far.",
    remedy: "Serve this path as 'application/json'; without an extension, servers have to be told.")

  static let claimsNothing = DiagnosticKind(
    "claims-nothing", .warning, "The file names no app",
    condition: "no app is named in `applinks`",
    meaning: "Such a file opens no app for links, whatever else it is for.",
    remedy: "See that it is the right file.")
}

// MARK: - Copies of Apple's CDN

extension DiagnosticKind {
  static let cdnOutdated = DiagnosticKind(
    "cdn-outdated", .warning,
    except: "error if the site's file changed more than a day ago",
    "Apple's CDN has an older file",
    condition: """
      Apple's CDN has a file from before the site's last change, and URLs change their verdicts
      """,
    meaning: """
      Devices ask the CDN, which asks the site again within a day; they then need about a week.
      """,
    remedy: """
      Wait for a day. Then see whether the CDN is let in: its fetcher names itself AASA-Bot. \
      '?mode=developer' in the app's entitlement asks the site at once.
      """)

  static let cdnDiffers = DiagnosticKind(
    "cdn-differs", .warning, "Apple's CDN has another file",
    condition: "Apple's CDN has another file than the site, and it can't be told that it is older",
    meaning: "Devices ask the CDN, so they follow other rules than the site's.",
    remedy: """
      See whether all servers behind the host serve the same file, whatever the user agent and the \
      country. If it was changed just now, wait for a day.
      """)

  static let cdnSameMeaning = DiagnosticKind(
    "cdn-same-meaning", .note, "Apple's CDN has other bytes with the same meaning",
    condition: "Apple's CDN has other bytes that mean the same for links",
    meaning: "No URL changes its verdict; other parts of the file may differ.",
    remedy: "Nothing is to be done for links.")
}
