internal import NIOCore

extension PresentedCertificate {
  /// Returns a Boolean value indicating whether the certificate is for a host: a name, or an
  /// address.
  func isFor(_ host: String) -> Bool {
    guard let address = try? SocketAddress(ipAddress: host, port: 0) else {
      return isFor(name: host)
    }
    return addresses.contains { bytes in
      (try? SocketAddress(packedIPAddress: ByteBuffer(bytes: bytes), port: 0)) == address
    }
  }
}
