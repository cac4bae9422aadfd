#if Curl
internal import CCurl
internal import SystemPackage

extension Transfer.Result {
  /// A Boolean value indicating whether the server's certificate is refused.
  var isCertificateRefused: Bool { code == CURLE_PEER_FAILED_VERIFICATION }

  /// Returns the reason why there is no response.
  ///
  /// - Parameter timeout: The time limit, in seconds.
  /// - Returns: The reason, of a transfer that failed.
  func failure(timeout: Double) -> FetchFailure {
    switch code {
    // In a URL, only the host can be malformed: a label of 64 letters, or an empty one.
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_URL_MALFORMAT: .nameNotResolved
    case CURLE_OPERATION_TIMEDOUT: .timedOut(seconds: timeout)
    case CURLE_COULDNT_CONNECT:
      switch systemError {
      case .connectionRefused: .connectionRefused
      case .timedOut: .timedOut(seconds: timeout)
      case .connectionReset, .brokenPipe, .socketNotConnected: .noAnswer
      case Errno(rawValue: 0): .unreachable(message)
      default: .unreachable("\(systemError)")
      }
    // An invalid status line, HTTP/0.9, a violation of HTTP/2, or a field beyond libcurl's limit of
    // 100 KB. Versions of libcurl have different codes for these.
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2, CURLE_OUT_OF_MEMORY,
      CURLcode(rawValue: 100):
      .notHTTP
    case CURLE_PEER_FAILED_VERIFICATION:
      .certificate(RefusedCertificate(chain: chain, isTrusted: isTrusted))
    case CURLE_SSL_CONNECT_ERROR: handshakeFailure
    case CURLE_FAILED_INIT: .unreachable(message)
    case CURLE_UNKNOWN_OPTION:
      .tls("libcurl 7.77 or later is needed for authorities besides those of the system")
    case CURLE_SSL_CACERT_BADFILE:
      .tls("the system has no list of authorities; install 'ca-certificates' (\(message))")
    case CURLE_SSL_CIPHER, CURLE_SSL_CERTPROBLEM, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_INVALIDCERTSTATUS, CURLE_USE_SSL_FAILED:
      .tls(message)
    // Empty replies, and connections that are reset.
    default: .noAnswer
    }
  }

  /// A Boolean value indicating whether an authority vouches for the certificate, so that only its
  /// names are wrong.
  ///
  /// OpenSSL has no error (0), or one about names (X509_V_ERR_HOSTNAME_MISMATCH and
  /// X509_V_ERR_IP_ADDRESS_MISMATCH). If libcurl checked the names after a successful handshake, it
  /// left its initial value (1).
  private var isTrusted: Bool { [0, 1, 62, 64].contains(verification) }

  /// The reason why TLS failed, from libcurl's message, because there are no codes for these.
  private var handshakeFailure: FetchFailure {
    let text = message.lowercased()
    if ["unsupported protocol", "alert protocol version"].contains(where: text.contains) {
      return .oldTLS
    }
    if ["wrong version number", "http request", "packet length too long"]
      .contains(where: text.contains)
    {
      return .tls("the server does not speak TLS on this port")
    }
    if ["reset by peer", "ssl_error_syscall", "unexpected eof"].contains(where: text.contains) {
      return .tls("the server ended the handshake")
    }
    // `error:0A000410:SSL routines::sslv3 alert handshake failure`: the last part names it.
    return .tls(message.split(separator: ":").last.map(String.init) ?? message)
  }
}
#endif
