internal import NIOSSL

/// How servers are asked.
public struct DeliverySettings: Sendable {
  /// How many seconds an answer may take, from the look-up of the name to its last byte.
  public var timeout: Double

  /// What the requests name as the user agent.
  public var userAgent: String

  /// The servers that are asked in place of the real ones.
  public var baseURLs: [DeliverySource: BaseURL]

  /// The certificates of authorities that are trusted besides those of the system.
  let authorities: [NIOSSLCertificate]

  /// Creates settings.
  ///
  /// - Parameters:
  ///   - timeout: How many seconds an answer may take.
  ///   - userAgent: What the requests name as the user agent.
  ///   - baseURLs: The servers that are asked in place of the real ones.
  ///   - authorityFiles: The paths of files in PEM with certificates of authorities.
  /// - Throws: ``UnreadableAuthorities`` if one of the files has no certificates.
  public init(
    timeout: Double, userAgent: String, baseURLs: [DeliverySource: BaseURL],
    authorityFiles: [String]
  ) throws(UnreadableAuthorities) {
    (self.timeout, self.userAgent, self.baseURLs) = (timeout, userAgent, baseURLs)
    var authorities: [NIOSSLCertificate] = []
    for path in authorityFiles {
      do {
        authorities += try NIOSSLCertificate.fromPEMFile(path)
      } catch {
        throw UnreadableAuthorities(path: path)
      }
    }
    self.authorities = authorities
  }

  /// What is demanded of certificates.
  func tls(_ verification: CertificateVerification) -> TLSConfiguration {
    var configuration = TLSConfiguration.makeClientConfiguration()
    // As Apple's systems demand it.
    configuration.minimumTLSVersion = .tlsv12
    configuration.certificateVerification = verification
    if !authorities.isEmpty { configuration.additionalTrustRoots = [.certificates(authorities)] }
    return configuration
  }
}

/// A file that should have certificates of authorities, and hasn't.
public struct UnreadableAuthorities: Error, Hashable {
  /// The path of the file.
  public var path: String
}
