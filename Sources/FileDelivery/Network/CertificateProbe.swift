internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOPosix
internal import NIOSSL

/// Looks at the certificates that a server presents.
///
/// The library of TLS says that a certificate is refused, and not why. So the server is
/// asked for it once more, on a connection that is given up as soon as it has come: nothing
/// is sent to whom isn't trusted.
enum CertificateProbe {
  /// The certificates, the server's own first; none if they can't be had in time.
  static func chain(
    _ target: DeliveryTarget, tls: TLSConfiguration, deadline: NIODeadline,
    group: any EventLoopGroup
  ) async -> [PresentedCertificate] {
    let address = target.base?.host ?? target.host
    let port = target.base?.port ?? 443
    // An address is no name that a server could choose by.
    let isAddress = (try? SocketAddress(ipAddress: target.host, port: 0)) != nil
    let serverName = isAddress ? nil : target.host
    let found = NIOLockedValueBox<[PresentedCertificate]>([])
    guard let context = try? NIOSSLContext(configuration: tls),
      let channel = try? await ClientBootstrap(group: group)
        .connectTimeout(max(.nanoseconds(1), deadline - .now()))
        .channelInitializer({ channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(
              NIOSSLClientHandler(
                context: context, serverHostname: serverName,
                customVerificationCallback: { certificates, promise in
                  found.withLockedValue { $0 = certificates.compactMap(PresentedCertificate.init) }
                  promise.succeed(.failed)
                }))
          }
        })
        .connect(host: address, port: port).get()
    else { return [] }
    // The refusal ends the connection; a server that presents nothing must not keep it open.
    let end = channel.eventLoop.scheduleTask(deadline: deadline) { channel.close(promise: nil) }
    try? await channel.closeFuture.get()
    end.cancel()
    return found.withLockedValue { $0 }
  }
}

extension PresentedCertificate {
  /// Reads what a certificate says, or returns `nil` if the library can't write it down.
  init?(_ certificate: NIOSSLCertificate) {
    guard let bytes = try? certificate.toDERBytes() else { return nil }
    self.init(
      der: bytes, notBefore: HTTPDate(seconds: Int(certificate.notValidBefore)),
      notAfter: HTTPDate(seconds: Int(certificate.notValidAfter)))
  }
}
