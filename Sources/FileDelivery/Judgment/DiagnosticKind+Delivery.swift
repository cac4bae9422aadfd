public import UniversalLinks

extension DiagnosticCatalog {
  /// The kinds of problems of delivery.
  public static let delivery = DiagnosticCatalog(
    .delivery,
    [
      "Connections": [
        .nameNotResolved, .connectionRefused, .unreachable, .timedOut, .noAnswer,
        .notHTTP, .oldTLS, .tlsFailed, .certificateExpired, .certificateNotYetValid,
        .certificateWrongHost, .certificateSelfSigned, .certificateUnknownAuthority,
        .notEncrypted,
      ],
      "Answers": [
        .redirected, .notFound, .forbidden, .serverError, .unexpectedStatus, .onlyAtRoot,
        .cdnRefused,
      ],
      "Files": [
        .tooSlow, .bodyCut, .tooLarge, .notGzip, .gzipDamaged, .gzipUnannounced,
        .codingNotAskedFor, .emptyFile, .htmlPage, .notJSON, .notAnObject, .lenientJSON,
        .signed, .contentType, .claimsNothing,
      ],
      "Copies of Apple's CDN": [
        .cdnOutdated, .cdnDiffers, .cdnSameMeaning,
      ],
    ])
}

private let unasked = """
  Without an answer, no device gets the file. Apps that are installed now get no links. Devices \
  that have the file keep it.
  """

private let untrusted = """
  Apple's systems fetch the file only over a trusted connection, without exceptions.
  """

// MARK: - Connections

extension DiagnosticKind {
  static let nameNotResolved = DiagnosticKind(
    "name-not-resolved", .error, "Host name without an address",
    meaning: unasked,
    remedy: "Check the spelling of the name, and its A and AAAA records.")

  static let connectionRefused = DiagnosticKind(
    "connection-refused", .error, "Refused connection",
    condition: "no server accepts connections on the HTTPS port",
    meaning: unasked,
    remedy: """
      Start the server, and make it listen on the HTTPS port (443), or the port of '--base-url'.
      """)

  static let unreachable = DiagnosticKind(
    "unreachable", .error, "Unreachable server",
    condition: "the connection fails for another reason",
    meaning: unasked,
    remedy: "Check the network between this machine and the server: its routes and firewalls.")

  static let timedOut = DiagnosticKind(
    "timed-out", .error, "No answer in time",
    condition: "no answer begins within `--timeout`",
    meaning: unasked,
    remedy: """
      Check the server's load, and look for a firewall that drops packets. Apple's CDN also gives \
      up after some time.
      """)

  static let noAnswer = DiagnosticKind(
    "no-answer", .error, "Connection that ends without an answer",
    condition: "the server ends the connection before it answers",
    meaning: unasked,
    remedy: """
      Check the server's error log. A filter before the server may end connections of unknown \
      clients.
      """)

  static let notHTTP = DiagnosticKind(
    "not-http", .error, "The answer is not HTTP",
    condition: "the server's answer is not HTTP",
    meaning: unasked,
    remedy: "Check which program listens on the port, and which proxy is before it.")

  static let oldTLS = DiagnosticKind(
    "old-tls", .error, "Server without TLS 1.2 or later",
    condition: "the server supports neither TLS 1.2 nor a later version",
    meaning: "Apple's systems require TLS 1.2 or later.",
    remedy: "Enable TLS 1.2 and 1.3 in the server.")

  static let tlsFailed = DiagnosticKind(
    "tls-failed", .error, "Failed TLS connection",
    condition: "TLS fails for another reason than the certificate",
    meaning: untrusted,
    remedy: """
      Run 'openssl s_client -connect HOST:443 -servername HOST', and check the server's error log.
      """)

  static let certificateExpired = DiagnosticKind(
    "certificate-expired", .error, "Expired certificate",
    meaning: untrusted,
    remedy: "Renew the certificate, and find out why it was not renewed automatically.")

  static let certificateNotYetValid = DiagnosticKind(
    "certificate-not-yet-valid", .error, "Certificate that is not valid yet",
    meaning: untrusted,
    remedy: "Install a certificate that is valid now, and compare the clocks of both machines.")

  static let certificateWrongHost = DiagnosticKind(
    "certificate-wrong-host", .error, "Certificate for other hosts",
    meaning: untrusted,
    remedy: """
      Get a certificate that includes the host's name, or configure the server to choose the right \
      one for this name (SNI).
      """)

  static let certificateSelfSigned = DiagnosticKind(
    "certificate-self-signed", .error, "Self-signed certificate",
    meaning: untrusted,
    remedy: """
      Get a certificate from an authority that Apple's systems trust. For a test server, pass the \
      certificate with '--ca-certificate FILE'.
      """)

  static let certificateUnknownAuthority = DiagnosticKind(
    "certificate-unknown-authority", .error, "Certificate of an unknown authority",
    condition: "no known authority signed the certificate",
    meaning: untrusted,
    remedy: """
      Get a certificate from an authority that Apple's systems trust, and configure the server to \
      send the intermediate certificates, too ('fullchain'). Pass your own authority with \
      '--ca-certificate FILE'.
      """)

  static let notEncrypted = DiagnosticKind(
    "not-encrypted", .note, "Request without encryption",
    condition: "`--base-url` begins with `http://`",
    meaning: "Systems use only HTTPS. linkaudit could not check TLS and the certificate.",
    remedy: "Check again with 'https://'.")
}

// MARK: - Answers

extension DiagnosticKind {
  static let redirected = DiagnosticKind(
    "redirected", .error, "Redirected file",
    condition: "the answer is a redirect, which linkaudit does not follow",
    meaning: "According to Apple, the file must be served without redirects.",
    remedy: """
      Serve the file with status 200 on this host and path. Exclude the path from redirects to \
      another host, a language or a login.
      """)

  static let notFound = DiagnosticKind(
    "not-found", .error, "Missing file",
    condition: "the status is 404 or 410",
    meaning: "Without the file, no app is associated with the host.",
    remedy: """
      Put the file there, without an extension. Check that the server serves folders whose names \
      begin with a full stop.
      """)

  static let forbidden = DiagnosticKind(
    "forbidden", .error, "Restricted access to the file",
    condition: "the status is 401, 403, 407, 429 or 451",
    meaning: "Apple's CDN and devices have no credentials, and can have any address.",
    remedy: """
      Make this path public: no login, and no filter by country, address or user agent. The user \
      agent of Apple's fetcher is AASA-Bot.
      """)

  static let serverError = DiagnosticKind(
    "server-error", .error, "Server error",
    condition: "the status is 500 or more",
    meaning: "Apple's CDN also caches failures. Devices that ask it meanwhile get no file.",
    remedy: "Check the server's error log.")

  static let unexpectedStatus = DiagnosticKind(
    "unexpected-status", .error, "Unexpected status",
    condition: "the status is not 200, and no other code is for it",
    meaning: "Apple does not document what systems do with a status other than 200.",
    remedy: "Serve the file with status 200.")

  static let onlyAtRoot = DiagnosticKind(
    "only-at-root", .error, "File at the root path only",
    condition: "the file is at `/apple-app-site-association`, but not in `/.well-known`",
    meaning: "Apple's CDN, and iOS 14 and later, do not use the root path.",
    remedy: "Serve the file at '/.well-known/apple-app-site-association', too.")

  static let cdnRefused = DiagnosticKind(
    "cdn-refused", .error, "No file on Apple's CDN",
    condition: "Apple's CDN has no file of the host, and may give the reason",
    meaning: "Devices that ask the CDN get no file. They don't ask the site.",
    remedy: """
      Fix the problem that the CDN reports, and wait until it asks the site again, within a day.
      """)
}

// MARK: - Files

extension DiagnosticKind {
  static let tooSlow = DiagnosticKind(
    "too-slow", .error, "File that arrives too slowly",
    condition: "the answer is not complete within `--timeout`",
    meaning: "Apple's CDN also gives up after some time, which is not documented.",
    remedy: "Serve a static file, from memory or disk.")

  static let bodyCut = DiagnosticKind(
    "body-cut", .error, "Incomplete file",
    condition: "the connection ends before the end of the file",
    meaning: "Systems can't read a part of a file.",
    remedy: """
      Compare 'Content-Length' with the number of bytes that the server sends, after compression.
      """)

  static let tooLarge = DiagnosticKind(
    "too-large", .error, "File too large",
    condition: "the file has more than 131,072 bytes when decompressed",
    meaning: "Systems stop reading there, and get no rules from the file.",
    remedy: AssociationFile.sizeRemedy)

  static let notGzip = DiagnosticKind(
    "not-gzip", .error, "Uncompressed file announced as gzip",
    condition: "`Content-Encoding` is gzip, but the body is not gzip",
    meaning: "Clients try to decompress the body, and fail.",
    remedy: "Remove 'Content-Encoding' for this path, or let the server compress the file.")

  static let gzipDamaged = DiagnosticKind(
    "gzip-damaged", .error, "Damaged compressed file",
    condition: "the body is damaged gzip",
    meaning: "Clients try to decompress the body, and fail.",
    remedy: "Compress the file again, and compare its checksum with that of the served file.")

  static let gzipUnannounced = DiagnosticKind(
    "gzip-unannounced", .error, "Compression that is not announced",
    condition: "the body is gzip, but there is no `Content-Encoding`",
    meaning: "Clients don't decompress the body, so they can't read the file.",
    remedy: "Upload the file uncompressed, or add 'Content-Encoding: gzip'.")

  static let codingNotAskedFor = DiagnosticKind(
    "coding-not-asked-for", .error, "Compression that was not requested",
    condition: "`Content-Encoding` names a coding that was not requested",
    meaning: "Clients may not support it. linkaudit requests only gzip.",
    remedy: """
      Compress only as 'Accept-Encoding' allows, and send 'Vary: Accept-Encoding' if caches store \
      the answer.
      """)

  static let emptyFile = DiagnosticKind(
    "empty-file", .error, "Empty file",
    condition: "the file has no bytes",
    meaning: "An empty file is not a JSON object, so systems can't read it.",
    remedy: "Upload the file again.")

  static let htmlPage = DiagnosticKind(
    "html-page", .error, "HTML page instead of a file",
    condition: "the file is an HTML or XML page",
    meaning: "Systems read only JSON. Such a page with status 200 is often an error page.",
    remedy: """
      Configure the server to serve the file for this path, not the page of a web app that answers \
      all paths.
      """)

  static let notJSON = DiagnosticKind(
    "not-json", .error, "File that is not JSON",
    meaning: "If a file has a syntax error, systems read none of it.",
    remedy: "Fix the place that the message names, and check what the build or the editor adds.")

  static let notAnObject = DiagnosticKind(
    "not-an-object", .error, "File that is not an object",
    condition: "the file is JSON, but not an object",
    meaning: "Systems look for 'applinks' in an object.",
    remedy: "Write an object with the member 'applinks'.")

  static let lenientJSON = DiagnosticKind(
    "lenient-json", .warning, "File that is not strict JSON",
    condition: """
      the file has a byte order mark, is UTF-16 or UTF-32, or has a comma before a closing bracket
      """,
    meaning: """
      Apple's systems accept it, but JSON does not allow it. Other tools reject the file, and \
      Apple's CDN may reject it, too.
      """,
    remedy: "Save the file as UTF-8 without a byte order mark, and remove such commas.")

  static let signed = DiagnosticKind(
    "signed", .note, "Signed file",
    condition: "the file is signed (CMS in DER)",
    meaning: """
      Only systems before iOS 9 needed a signature. Apple has advised against it since 2019.
      """,
    remedy: "Serve the JSON itself.")

  static let contentType = DiagnosticKind(
    "content-type", .note,
    except: "`warning` for a type that a browser would show as a page",
    "Content type that is not JSON",
    condition: """
      the type is not `application/json`, or not `application/pkcs7-mime` for a signed file
      """,
    meaning: "Apple requires it. So far, systems have read files of other types, too.",
    remedy: """
      Configure the server to send this path as 'application/json'. It can't detect the type, \
      because the name has no extension.
      """)

  static let claimsNothing = DiagnosticKind(
    "claims-nothing", .warning, "File without an app",
    condition: "`applinks` names no app",
    meaning: "With this file, no link opens an app.",
    remedy: "Check that it is the right file.")
}

// MARK: - Copies of Apple's CDN

extension DiagnosticKind {
  static let cdnOutdated = DiagnosticKind(
    "cdn-outdated", .warning,
    except: "`error` if the site's file changed more than a day ago",
    "Older file on Apple's CDN",
    condition: """
      the file on Apple's CDN is older than the site's last change, and URLs change their verdicts
      """,
    meaning: """
      Devices ask the CDN, which asks the site again within a day. Devices then need about a week \
      to update.
      """,
    remedy: """
      Wait for a day. If the file is still old, check that the site lets the CDN's fetcher, \
      AASA-Bot, pass. For tests, '?mode=developer' in the app's entitlement asks the site directly.
      """)

  static let cdnDiffers = DiagnosticKind(
    "cdn-differs", .warning, "Different file on Apple's CDN",
    condition: "Apple's CDN has another file than the site, and it is not known to be older",
    meaning: "Devices ask the CDN, so they follow other rules than those of the site.",
    remedy: """
      Check that all servers of the host serve the same file to every user agent and every country. \
      If you have just changed the file, wait for a day.
      """)

  static let cdnSameMeaning = DiagnosticKind(
    "cdn-same-meaning", .note, "Equivalent file on Apple's CDN",
    condition: "the file on Apple's CDN has other bytes, but the same meaning for links",
    meaning: "No URL changes its verdict. Other parts of the file may differ.",
    remedy: "Do nothing: links work the same.")
}
