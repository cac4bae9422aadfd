internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import SystemPackage

/// What is known of a failure before the certificate has been looked at.
enum FailureKind {
  case known(FetchFailure)

  /// The certificate is refused.
  case certificate(isTrusted: Bool)

  /// The time is up.
  case timedOut

  /// Tells what an error of the libraries means.
  init(_ error: any Error) {
    switch error {
    case let error as HTTPClientError:
      self = Self.timeouts.contains(error) ? .timedOut : .known(.noAnswer)
    case ChannelError.connectTimeout: self = .timedOut
    case is WrongHostCertificate: self = .certificate(isTrusted: true)
    case let error as NIOSSLExtraError where error == .failedToValidateHostname:
      self = .certificate(isTrusted: true)
    case let error as NIOConnectionError: self = Self.connection(error)
    case let error as IOError: self = Self.system(error)
    case is SocketAddressError: self = .known(.nameNotResolved)
    case NIOSSLError.handshakeFailed(let error): self = Self.handshake("\(error)")
    case let error as BoringSSLError: self = Self.handshake("\(error)")
    case is HTTPParserError: self = .known(.notHTTP)
    case is NIOSSLError, is NIOSSLExtraError: self = .known(.tls("\(error)"))
    default: self = .known(.noAnswer)
    }
  }

  private static let timeouts: [HTTPClientError] = [
    .connectTimeout, .deadlineExceeded, .readTimeout, .writeTimeout, .tlsHandshakeTimeout,
    .getConnectionFromPoolTimeout,
  ]

  private static func connection(_ error: NIOConnectionError) -> FailureKind {
    let errors = error.connectionErrors.map(\.error)
    guard let first = errors.first else { return .known(.nameNotResolved) }
    // A host can have addresses that don't lead there from here; what the others say counts.
    let kinds = errors.map { FailureKind($0) }
    return kinds.first { kind in
      if case .known(.unreachable) = kind { false } else { true }
    } ?? FailureKind(first)
  }

  private static func system(_ error: IOError) -> FailureKind {
    switch Errno(rawValue: error.errnoCode) {
    case .connectionRefused: .known(.connectionRefused)
    case .timedOut: .timedOut
    case .connectionReset, .brokenPipe, .socketNotConnected: .known(.noAnswer)
    case let other: .known(.unreachable("\(other)"))
    }
  }

  /// Tells what an error of BoringSSL means, whose names of errors are all there is.
  private static func handshake(_ text: String) -> FailureKind {
    if text.contains("CERTIFICATE_VERIFY_FAILED") { return .certificate(isTrusted: false) }
    if text.contains("UNSUPPORTED_PROTOCOL") || text.contains("ALERT_PROTOCOL_VERSION") {
      return .known(.oldTLS)
    }
    if text.contains("WRONG_VERSION_NUMBER") || text.contains("HTTP_REQUEST") {
      return .known(.tls("what answers there doesn't speak TLS"))
    }
    return .known(.tls(text.boringSSLReason))
  }
}

/// The certificate of a base URL is neither for the real host nor for that URL's.
struct WrongHostCertificate: Error {}

extension String {
  /// The name of the first error in BoringSSL's text, in small letters, or the text.
  fileprivate var boringSSLReason: String {
    let words = split { !$0.isASCII || !($0.isLetter || $0.isNumber || $0 == "_") }
    let name = words.first {
      $0.contains("_") && $0.allSatisfy { $0.isUppercase || $0.isNumber || $0 == "_" }
    }
    return name.map { $0.lowercased().split(separator: "_").joined(separator: " ") }
      ?? "the server ended the handshake"
  }
}
