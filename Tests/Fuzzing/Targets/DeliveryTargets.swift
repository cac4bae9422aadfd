@testable import FileDelivery

/// Answers of servers, and certificates as libcurl describes them.
extension FuzzTarget {
  static let deliveries = [answers, certificates]

  private static let answers = FuzzTarget(
    "answers", words: ["HTTP/1.1 ", "HTTP/2 ", "200", "099", "103", "\r\n\r\n", ": ", "\t"],
    seeds: { _ in
      [
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{}",
        "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/2 404 \r\nA: b\r\n folded\r\n\r\n",
        "HTTP/1.1 000 X\r\n\r\n",
      ].map { Array($0.utf8) }
    },
    run: { bytes in
      let receiver = CopyReceiver()
      var rest = bytes[...]
      var isWanted = true
      // The same order as libcurl: lines until a head is complete, then the body.
      while isWanted, receiver.response == nil, let end = rest.firstIndex(of: 0x0A) {
        isWanted = receiver.receive(headLine: String(decoding: rest[...end], as: UTF8.self))
        rest = rest[(end + 1)...]
      }
      if isWanted { isWanted = receiver.receive(body: rest) }
      receiver.finish(.cut)
      try require(
        receiver.response != nil || receiver.isNotHTTP, "no answer, and no reason: \(bytes.text)")
      guard let response = receiver.response else { return }
      try require(
        (100...999).contains(response.status) && !receiver.isNotHTTP, "status \(response.status)")
      try require(response.status == 200 || response.body.isEmpty, "an error page is kept")
      try require(
        response.body.count <= DeliveryResponse.receivingLimit, "\(response.body.count) bytes")
      for field in response.fields {
        try require(!field.name.contains(":"), "a field named '\(field.name)'")
      }
      _ = (response.age, response.maximumAge, response.cdnFailure, response.lastModified)
    })

  private static let certificates = FuzzTarget(
    "certificates", words: ["Subject:", "Issuer:", "CN = ", "DNS:", "IP Address:", ", ", "GMT"],
    seeds: { _ in
      [
        "Subject:O = Tea, CN = Tea House\nIssuer:CN=x\n"
          + "X509v3 Subject Alternative Name:DNS:*.example.com, IP Address:2001:DB8:0:0:0:0:0:1\n"
          + "Start date:Nov 21 15:12:23 2026 GMT\nExpire date:2026-12-01 15:12:23 GMT"
      ].map { Array($0.utf8) }
    },
    run: { bytes in
      let fields = bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
      guard let certificate = PresentedCertificate(fields: fields) else { return }
      for address in certificate.addresses {
        try require([4, 16].contains(address.count), "an address of \(address.count) bytes")
      }
      for name in certificate.hostNames.prefix(20) where !name.contains("*") && !name.isEmpty {
        guard PresentedCertificate.address(name) == nil else { continue }
        try require(certificate.isFor(name), "'\(name)' is not its host")
      }
    })
}
