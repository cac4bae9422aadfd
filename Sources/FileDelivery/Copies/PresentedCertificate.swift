internal import Foundations

/// A certificate as libcurl describes it.
///
/// It only explains why a certificate is refused; the TLS library decides whether it is.
public struct PresentedCertificate: Hashable, Sendable {
  /// The name of its owner; empty if it has none.
  public var subject = ""

  /// The name of the authority that issued it; empty if it has none.
  public var issuer = ""

  /// A Boolean value indicating whether it names itself as the issuer.
  public var isSelfIssued = false

  /// The beginning and the end of its validity.
  public var notBefore: HTTPDate
  public var notAfter: HTTPDate

  /// The hosts that it names; `*.example.com` matches those one level below.
  public var hostNames: [String] = []

  /// The IP addresses that it names, in network byte order: four or sixteen bytes each.
  public var addresses: [[UInt8]] = []

  /// Creates a certificate without names.
  public init(notBefore: HTTPDate, notAfter: HTTPDate) {
    (self.notBefore, self.notAfter) = (notBefore, notAfter)
  }

  /// Reads the fields that libcurl lists, such as `Subject:CN = www.example.com`
  /// (CURLINFO_CERTINFO), or returns `nil` if there are no dates among them.
  init?(fields: [String]) {
    let values = Dictionary(
      fields.compactMap { field -> (String, String)? in
        guard let colon = field.firstIndex(of: ":") else { return nil }
        let value = field[field.index(after: colon)...].drop { $0 == " " }
        return (field[..<colon].lowercased(), String(value))
      }, uniquingKeysWith: { first, _ in first })
    guard let start = values["start date"].flatMap(Self.date),
      let end = values["expire date"].flatMap(Self.date)
    else { return nil }
    self.init(notBefore: start, notAfter: end)
    let (subject, issuer) = (values["subject"] ?? "", values["issuer"] ?? "")
    isSelfIssued = !subject.isEmpty && subject == issuer
    self.subject = Self.name(in: subject)
    self.issuer = Self.name(in: issuer)
    for entry in (values["x509v3 subject alternative name"] ?? "").split(separator: ",") {
      let parts = entry.split(separator: ":", maxSplits: 1).map { $0.drop { $0 == " " } }
      guard parts.count == 2 else { continue }
      switch parts[0] {
      case "DNS": hostNames.append(String(parts[1].prefix(253)))
      case "IP Address": Self.address(String(parts[1])).map { addresses.append($0) }
      default: break
      }
    }
  }

  /// Reads `Jan  1 00:00:00 2020 GMT`, which OpenSSL writes, or `2020-01-01 00:00:00 GMT`.
  private static func date(_ text: String) -> HTTPDate? {
    let words = text.split(separator: " ")
    if words.count == 5 {
      let day = words[1].count == 1 ? "0" + words[1] : words[1]
      return HTTPDate("Mon, \(day) \(words[0]) \(words[3]) \(words[2]) \(words[4])")
    }
    let parts = words.first?.split(separator: "-") ?? []
    guard words.count == 3, parts.count == 3, let month = Int(parts[1]),
      HTTPDate.months.indices.contains(month - 1)
    else { return nil }
    return HTTPDate(
      "Mon, \(parts[2]) \(HTTPDate.months[month - 1]) \(parts[0]) \(words[1]) \(words[2])")
  }

  /// The common name in a distinguished name, else the organization: `Tea House` of
  /// `O = Tea, CN = Tea House`.
  private static func name(in text: String) -> String {
    var attributes: [String] = [""]
    var isEscaped = false
    for character in text {
      if !isEscaped, ",;+".contains(character) {
        attributes.append("")
      } else if isEscaped || character != "\\" {
        attributes[attributes.count - 1].append(character)
      }
      isEscaped = !isEscaped && character == "\\"
    }
    func value(of kind: String) -> String? {
      attributes.last { $0.drop { $0 == " " }.prefix { $0 != "=" && $0 != " " } == kind }
        .flatMap { attribute in
          attribute.firstIndex(of: "=").map {
            String(attribute[$0...].dropFirst().drop { $0 == " " })
          }
        }
    }
    return String((value(of: "CN") ?? value(of: "O") ?? "").prefix(100))
  }

  /// Reads an IP address, or returns `nil`.
  static func address(_ text: String) -> [UInt8]? {
    var (four, six) = (in_addr(), in6_addr())
    if unsafe inet_pton(AF_INET, text, &four) == 1 {
      return unsafe withUnsafeBytes(of: &four) { unsafe Array($0) }
    }
    guard unsafe inet_pton(AF_INET6, text, &six) == 1 else { return nil }
    return unsafe withUnsafeBytes(of: &six) { unsafe Array($0) }
  }
}

extension PresentedCertificate {
  /// Whether the certificate names a host: a name (RFC 9525, 6.3), or an IP address.
  func isFor(_ host: String) -> Bool {
    if let address = Self.address(host) { return addresses.contains(address) }
    return hostNames.contains { Self.covers($0.lowercased(), host.lowercased()) }
  }

  private static func covers(_ name: String, _ host: String) -> Bool {
    guard name.hasPrefix("*.") else { return name == host }
    let suffix = name.dropFirst()
    guard suffix.dropFirst().contains("."), host.hasSuffix(suffix) else { return false }
    let label = host.dropLast(suffix.count)
    return !label.isEmpty && !label.contains(".")
  }
}
