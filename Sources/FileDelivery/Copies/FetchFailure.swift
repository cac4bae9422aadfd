/// The reason why a server gave no answer.
public enum FetchFailure: Hashable, Sendable {
  /// The host's address is unknown.
  case nameNotResolved

  /// No server listens there.
  case connectionRefused

  /// The connection failed for another reason, which the system names.
  case unreachable(String)

  /// No answer began before the timeout.
  case timedOut(seconds: Double)

  /// The connection ended before an answer.
  case noAnswer

  /// The response is not HTTP.
  case notHTTP

  /// Both sides have no common version of TLS.
  case oldTLS

  /// TLS failed for another reason, which the library names.
  case tls(String)

  /// The certificate is not accepted.
  case certificate(RefusedCertificate)

  /// A Boolean value indicating whether the host could not be reached at all.
  public var isUnasked: Bool {
    switch self {
    case .nameNotResolved, .connectionRefused, .unreachable, .timedOut: true
    case .noAnswer, .notHTTP, .oldTLS, .tls, .certificate: false
    }
  }
}

/// A certificate that was not accepted.
public struct RefusedCertificate: Hashable, Sendable {
  /// The certificates that the server presented, its own first; empty if unknown.
  public var chain: [PresentedCertificate]

  /// A Boolean value indicating whether an authority vouches for it, so that only the names are
  /// wrong.
  public var isTrusted: Bool

  /// Creates a certificate that was not accepted.
  public init(chain: [PresentedCertificate], isTrusted: Bool) {
    (self.chain, self.isTrusted) = (chain, isTrusted)
  }
}
