public import LinkAuditing
internal import SwiftASN1

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The settings for requests to servers.
public struct DeliverySettings: Sendable {
  /// The time limit for a copy, in seconds, from the look-up of the name to the last byte.
  public var timeout: Double

  /// The user agent of requests.
  public var userAgent: String

  /// The servers that replace the real ones.
  public var baseURLs: [DeliverySource: BaseURL]

  /// The certificates of trusted authorities besides those of the system, in PEM.
  let authorities: [UInt8]

  /// Creates settings.
  ///
  /// - Parameters:
  ///   - timeout: The time limit for a copy, in seconds.
  ///   - userAgent: The user agent of requests.
  ///   - baseURLs: The servers that replace the real ones.
  ///   - authorityFiles: The paths of PEM files with certificates of authorities.
  /// - Throws: ``UnreadableAuthorities`` if one of the files cannot be read or has no certificate.
  public init(
    timeout: Double, userAgent: String, baseURLs: [DeliverySource: BaseURL],
    authorityFiles: [String]
  ) throws(UnreadableAuthorities) {
    (self.timeout, self.userAgent, self.baseURLs) = (timeout, userAgent, baseURLs)
    var authorities: [UInt8] = []
    for path in authorityFiles {
      do {
        let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        let documents = try PEMDocument.parseMultiple(pemString: text)
          .filter { $0.discriminator.hasSuffix("CERTIFICATE") }
        guard !documents.isEmpty else { throw UnreadableAuthorities(path: path) }
        for document in documents {
          _ = try DER.parse(document.derBytes)
          authorities += Array(document.pemString.utf8) + [0x0A]
        }
      } catch {
        throw UnreadableAuthorities(path: path)
      }
    }
    self.authorities = authorities
  }
}

/// A file without certificates of authorities, or an unreadable one.
public struct UnreadableAuthorities: Error, Hashable {
  /// The path of the file.
  public var path: String
}
