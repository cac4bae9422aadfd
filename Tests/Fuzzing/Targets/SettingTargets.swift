@testable import FileDelivery
@testable import LinkAuditCommand
@testable import Reporting

/// The configuration, text to show, answers of servers, and certificates as libcurl describes them.
extension FuzzTarget {
  static let settings = [configuration, shownText, answers, certificates]

  private static let configuration = FuzzTarget(
    "configuration",
    words: [
      "sites:", "hosts:", "aasa:", "routes:", "logs:", "inputs:", "format:", "json-keys:",
      "report:", "run:", "jobs:", "max-rejects:", "since:", "- ", "[", "]", "{", "}", "&a ", "*a",
      "<<: ", "|\n", ">\n", "!!int ", "? ", "---\n", "...\n", "%YAML 1.2\n", "0x7f", "0o17", "1e9",
      ".inf", ".nan", "~", "null", "1:30", "\\u0000", "9223372036854775808",
    ],
    seeds: { sources in
      let template = ConfigurationTemplate(routes: "routes.txt", logs: ["logs", "- odd: name"]).text
      let all = template.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        line.replacing(/^( *)# ( *[a-z-]+:.*)$/) { "\($0.output.1)\($0.output.2)" }
      }
      return [Array(template.utf8), Array(all.joined(separator: "\n").utf8)]
        + all.filter { !$0.isEmpty }.map { Array($0.utf8) }
    },
    run: { input in
      let bytes = input.bytes
      for path in ["linkaudit.yml", "a[b]/linkaudit.yml"] {
        do {
          let configuration = try Configuration.reading(bytes, from: path)
          for site in configuration.sites {
            try require(
              !site.hosts.isEmpty && !site.associationFile.isEmpty, "a site without host or file")
          }
        } catch let complaint as Complaint {
          try require(complaint.description.hasPrefix("'\(path)'"), complaint.description)
        }
      }
      // A written name is read as the same name.
      guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty else { return }
      let template = ConfigurationTemplate(associationFile: text, routes: text, logs: [text]).text
      let read = try Configuration.reading(Array(template.utf8), from: "linkaudit.yml")
      let name = text.unicodeScalars.first == "\u{FEFF}" ? "./" + text : text
      let site = read.sites.first
      for found in [site?.associationFile, site?.routes.first, read.logs.first] {
        try requireEqual(found.map { Array($0.utf8) }, Array(name.utf8), "a name")
      }
    })

  private static let shownText = FuzzTarget(
    "shown-text", words: ["\u{1B}[31m", "\u{202E}", "\u{9B}", "\u{FEFF}", "\u{2028}"],
    texts: ["plain", "\u{1B}]0;x\u{7}é\u{202E}", "\u{9B}2J\u{E000}"],
    run: { input in
      let shown = SafeText.escaped(input.bytes.text)
      try require(!shown.unicodeScalars.contains(where: SafeText.isUnsafe), "unsafe: \(shown)")
      for byte in shown.utf8 { try require(byte >= 0x20 && byte != 0x7F, "a control: \(byte)") }
    })

  private static let answers = FuzzTarget(
    "answers", words: ["HTTP/1.1 ", "HTTP/2 ", "200", "099", "103", "\r\n\r\n", ": ", "\t"],
    texts: [
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{}",
      "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/2 404 \r\nA: b\r\n folded\r\n\r\n",
      "HTTP/1.1 000 X\r\n\r\n",
    ],
    run: { input in
      let receiver = CopyReceiver()
      var rest = input.rest
      var isWanted = true
      // The same order as libcurl: lines until a head is complete, then the body.
      while isWanted, receiver.response == nil, let end = rest.firstIndex(of: 0x0A) {
        isWanted = receiver.receive(headLine: String(decoding: rest[...end], as: UTF8.self))
        rest = rest[(end + 1)...]
      }
      if isWanted { isWanted = receiver.receive(body: rest) }
      receiver.finish(.cut)
      try require(
        receiver.response != nil || receiver.isNotHTTP,
        "no answer, and no reason: \(input.bytes.text)")
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
    texts: [
      "Subject:O = Tea, CN = Tea House\nIssuer:CN=x\n"
        + "X509v3 Subject Alternative Name:DNS:*.example.com, IP Address:2001:DB8:0:0:0:0:0:1\n"
        + "Start date:Nov 21 15:12:23 2026 GMT\nExpire date:2026-12-01 15:12:23 GMT"
    ],
    run: { input in
      let fields = input.rest.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
      guard let certificate = PresentedCertificate(fields: fields) else { return }
      try require(certificate.hostNames.count <= input.rest.count, "more hosts than bytes")
      for address in certificate.addresses {
        try require([4, 16].contains(address.count), "an address of \(address.count) bytes")
      }
      for name in certificate.hostNames.prefix(20) where !name.contains("*") && !name.isEmpty {
        guard PresentedCertificate.address(name) == nil else { continue }
        try require(certificate.isFor(name), "'\(name)' is not its host")
      }
    })
}
