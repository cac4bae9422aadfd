/// The reason why a certificate was not accepted.
enum CertificateProblem: Hashable, Sendable {
  case expired(PresentedCertificate)
  case notYetValid(PresentedCertificate)
  case wrongHost(PresentedCertificate)
  case selfSigned(PresentedCertificate)

  /// No known authority vouches for it; an authority's certificate may be missing or expired.
  case unknownAuthority(PresentedCertificate?, chainLength: Int, hasExpiredAuthority: Bool)

  /// Determines why a certificate was not accepted.
  ///
  /// - Parameters:
  ///   - refused: The certificate.
  ///   - now: The time of the fetch.
  ///   - isFor: A function that returns whether a certificate is for the requested host.
  /// - Returns: All reasons, at least one.
  static func problems(
    _ refused: RefusedCertificate, now: HTTPDate, isFor: (PresentedCertificate) -> Bool
  ) -> [CertificateProblem] {
    guard let own = refused.chain.first else {
      return [.unknownAuthority(nil, chainLength: 0, hasExpiredAuthority: false)]
    }
    var problems: [CertificateProblem] = []
    if own.notAfter < now { problems.append(.expired(own)) }
    if own.notBefore > now { problems.append(.notYetValid(own)) }
    // The issuer of a certificate that isn't valid now can't be verified.
    if problems.isEmpty, !refused.isTrusted {
      problems.append(
        own.isSelfIssued
          ? .selfSigned(own)
          : .unknownAuthority(
            own, chainLength: refused.chain.count,
            hasExpiredAuthority: refused.chain.dropFirst().contains { $0.notAfter < now }))
    }
    if !isFor(own) { problems.append(.wrongHost(own)) }
    return problems.isEmpty
      ? [.unknownAuthority(own, chainLength: refused.chain.count, hasExpiredAuthority: false)]
      : problems
  }
}
