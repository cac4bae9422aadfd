internal import Foundations

/// A format that detection tries on a line, and a sign that its lines have.
struct FormatCandidate: Sendable {
  let format: LogFormat

  /// Those of its layouts that are tried.
  let layouts: [LogFormat.Layout]

  /// Whether directives before the line, such as its day, apply to it.
  let followsDirectives: Bool

  /// Returns whether a line can be in the format.
  ///
  /// It is cheaper than reading the line. Lines of other formats can have the sign, too; a line
  /// without it is never in the format.
  let sign: @Sendable (_ line: Span<UInt8>) -> Bool

  /// Creates a candidate for all layouts of a format, or for those with some numbers.
  init(
    _ format: LogFormat, _ layouts: Int..., followsDirectives: Bool = false,
    sign: @escaping @Sendable (_ line: Span<UInt8>) -> Bool = { _ in true }
  ) {
    (self.format, self.followsDirectives, self.sign) = (format, followsDirectives, sign)
    self.layouts = layouts.isEmpty ? format.layouts : layouts.map { format.layouts[$0] }
  }

  /// The formats in JSON, in the order in which they are tried; those with keys that nobody else
  /// uses come first.
  static let json = [
    // Others have `request` and `uri`, too.
    FormatCandidate(.caddy) {
      $0.contains("http.log.access") || $0.contains("\"remote_") && $0.contains("\"headers\"")
    },
    FormatCandidate(.cloudflare), FormatCandidate(.googleLoadBalancer),
    FormatCandidate(.azureGateway), FormatCandidate(.traefik, 0),
    FormatCandidate(.vercel), FormatCandidate(.akamai), FormatCandidate(.pino),
    // Others have `path` and `response_code`, too.
    FormatCandidate(.envoy, 0) { line in
      let signs: [StaticString] = [
        "envoy", "authority", "response_flags", "upstream_cluster", "\":path",
        "requested_server_name",
      ]
      return signs.contains { line.contains($0) }
    },
    FormatCandidate(.fastly) { $0.contains("fastly") || $0.contains("\"service_version\"") },
    FormatCandidate(.cloudfront, 1) {
      $0.contains("\"x-edge-") || $0.contains("\"cs-uri-stem\"")
        // The names of columns in Parquet files.
        || $0.contains("\"x_edge_") || $0.contains("\"cs_uri_stem\"")
    },
    FormatCandidate(.nginxJSON),
  ]

  /// The formats in text that are tried before the common ones, which would read some of their
  /// lines.
  static let textBeforeCommon = [
    FormatCandidate(.envoy, 1) { line in
      line.beginsWithBracket && line.beginsWithISODay(at: 1)
        || line.begins(with: "ACCESS [") && line.beginsWithISODay(at: 8)
    },
    FormatCandidate(.nginxProxyManager, 0, 1) { $0.beginsWithBracket },
    FormatCandidate(.alibaba) { $0.beginsWithBracket },
    FormatCandidate(.huawei) { $0.beginsWithBracket },
    FormatCandidate(.gin) { $0.begins(with: "[GIN] ") },
    FormatCandidate(.uwsgi) { $0.begins(with: "[pid: ") },
    FormatCandidate(.confluence) { line in
      line.beginsWithBracket && line.beginsWithTime(at: 1) && line.contains("ms ")
    },
    FormatCandidate(.bitbucket) { line in
      line.beginsAsWord && line.firstIndex(of: UInt8(ascii: "|")) != nil
        && (line.contains(" | o@") || line.contains(" | o*"))
    },
    FormatCandidate(.tencent) { line in
      line.count > 30 && line[14] == UInt8(ascii: " ") && line.decimal(0..<14) != nil
    },
    FormatCandidate(.morgan) { line in
      line.beginsAsWord && line.firstIndex(of: UInt8(ascii: "\"")) == nil
        && (line.begins(with: " ms", at: line.count - 3) || line.contains(" ms - "))
    },
    FormatCandidate(.bunny) { $0.beginsAsBunny },
    // Every value has a label, so no line of another format fits.
    FormatCandidate(.ltsv) { $0.firstIndex(of: 0x09) != nil },
    // The owner of a bucket, in 64 hexadecimal digits.
    FormatCandidate(.simpleStorage) { line in
      line.count > 65 && line[64] == UInt8(ascii: " ")
        && (0..<64).allSatisfy { line[$0].isHexadecimalDigit }
    },
  ]

  /// The formats in text that are tried after the common ones, those without a sign last, except
  /// for nginx's variants, whose lines no other format has.
  static let textAfterCommon = [
    FormatCandidate(.nginxVariants, 0, 1),
    // Without its heading: days and times of day, or seconds.
    FormatCandidate(.cloudfront, 0, 2, 3, followsDirectives: true) { line in
      guard line[0].isDigit, let tab = line.firstIndex(of: 0x09) else { return false }
      return line.beginsWithISODay(at: 0) && tab == 10
        || ValueLooks(line.extracting(0..<tab)).contains(.epoch)
    },
    // The client and a dash, and not a host.
    FormatCandidate(.nginxVariants, 2) { line in
      line.firstIndex(of: UInt8(ascii: " ")).map { line.begins(with: " - ", at: $0) } ?? false
    },
    // `https 2018-07-02T22:23:00.186641Z`
    FormatCandidate(.applicationLoadBalancer) { line in
      line.firstIndex(of: UInt8(ascii: " "))
        .map { $0 <= 5 && line.beginsWithISODay(at: $0 + 1) } ?? false
    },
    // Requests name the load balancer, as in `"GET https://www.example.com:443/ HTTP/1.1"`.
    FormatCandidate(.classicLoadBalancer) { line in
      line.beginsWithISODay(at: 0)
        && line.firstIndex(of: UInt8(ascii: " ")).map { line.begins(with: "Z", at: $0 - 1) }
          ?? false
        && (line.contains(" http://") || line.contains(" https://") || line.contains("\"- - - \""))
    },
    FormatCandidate(.haproxy) { $0.holdsHAProxyTime },
    FormatCandidate(.squid) { $0.firstIndex(of: UInt8(ascii: ".")) == 10 },
    // Millionths of seconds since 1970.
    FormatCandidate(.cloudStorage) { line in
      line.hasShape("\"0000000000000000\",?", at: 0) || line.hasShape("0000000000000000,?", at: 0)
    },
    FormatCandidate(.iis) { $0.beginsWithAddress },
    FormatCandidate(.zoraxy) { $0.contains("[router:") },
    FormatCandidate(.logfmt),
  ]
}

extension Span<UInt8> {
  fileprivate var beginsWithBracket: Bool { self[0] == UInt8(ascii: "[") }

  /// Whether a line begins with a word, an address or a time, rather than with another sign.
  fileprivate var beginsAsWord: Bool {
    count > 20
      && (self[0].isLetter || self[0].isDigit || self[0] == UInt8(ascii: ":")
        || self[0] == UInt8(ascii: "[") || self[0] == 0x1B)
  }

  /// Whether a line begins with the result of a cache, a status, and thousandths of seconds since
  /// 1970: `HIT|200|1507167062421|`.
  fileprivate var beginsAsBunny: Bool {
    guard let bar = firstIndex(of: UInt8(ascii: "|"), from: 0, to: Swift.min(count, 24)) else {
      return false
    }
    return hasShape("|000|0000000000000|?", at: bar)
      && (0..<bar).allSatisfy { self[$0].isLetter || self[$0] == UInt8(ascii: "-") }
  }

  /// Whether a line has timers, or a time without a zone in brackets.
  fileprivate var holdsHAProxyTime: Bool {
    guard let start = haproxyTimeStart, let end = firstIndex(of: UInt8(ascii: "]"), from: start)
    else { return false }
    return firstIndex(of: UInt8(ascii: " "), from: start, to: end) == nil
      || LineTokens(betweenBlanks: self).map { tokens in
        tokens.values.contains { isTimers($0) }
      } ?? false
  }
}
