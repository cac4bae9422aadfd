#if Curl
internal import CCurl
internal import FoundationSubset
internal import SystemPackage
#endif

/// The reason why no request can be made on this machine.
public enum MissingCurl: Error, Hashable, Sendable {
  /// This program was built without libcurl's declarations.
  case notBuiltIn

  /// The system has no usable libcurl, for the reason that its loader gives.
  case notLoaded(String)
}

#if Curl
/// libcurl, which is loaded at the first request.
struct CurlLibrary: Sendable {
  /// Its functions, which any thread can call.
  let functions: ccurl_library

  /// The certificates of all trusted authorities, in PEM; empty for those of the library.
  private let authorities: [UInt8]

  private static let shared: Result<ccurl_library, MissingCurl> = {
    var functions = ccurl_library()
    // The loader's text is valid until its next call, and copied here.
    if let reason = unsafe ccurl_load(&functions) {
      return .failure(.notLoaded(unsafe String(cString: reason)))
    }
    return .success(functions)
  }()

  /// Loads the library, unless it is loaded, to trust certificates of authorities in PEM besides
  /// those that it trusts by default.
  init(including own: [UInt8]) throws(MissingCurl) {
    functions = try Self.shared.get()
    guard !own.isEmpty else {
      authorities = []
      return
    }
    let path = unsafe withUnsafePointer(to: functions) { functions in
      unsafe ccurl_default_authorities(functions).map { unsafe String(cString: $0) }
    }
    let system = path.flatMap { try? Data(contentsOf: URL(filePath: $0)) }
    authorities = Array(system ?? Data()) + [0x0A] + own
  }

  func copy(_ target: DeliveryTarget, _ settings: DeliverySettings) -> FetchedCopy {
    let deadline = ContinuousClock.now + .seconds(settings.timeout)
    let receiver = CopyReceiver()
    var transfer = transfer(target, settings)
    var result = transfer.perform(self, into: receiver)
    if result.isCertificateRefused, let base = target.base, base.isEncrypted {
      // A base URL may have a certificate for its own host.
      let again = CopyReceiver()
      var own = transfer
      (own.url, own.server) = (base.url(of: target.path), nil)
      own.timeout = Self.seconds(until: deadline)
      let second = own.perform(self, into: again)
      if !second.isCertificateRefused {
        return copy(target, second, again, timeout: settings.timeout)
      }
    }
    if result.isCertificateRefused, result.chain.isEmpty {
      // The handshake ended before libcurl stored the certificates, so request them once more.
      transfer.isProbe = true
      transfer.timeout = Self.seconds(until: deadline)
      result.chain = transfer.perform(self, into: CopyReceiver()).chain
    }
    return copy(target, result, receiver, timeout: settings.timeout)
  }

  private func copy(
    _ target: DeliveryTarget, _ result: Transfer.Result, _ receiver: CopyReceiver, timeout: Double
  ) -> FetchedCopy {
    receiver.finish(
      result.code == CURLE_OK
        ? .whole
        : result.code == CURLE_OPERATION_TIMEDOUT ? .tooSlow(seconds: timeout) : .cut)
    let certificateEnd = result.chain.first?.notAfter
    if let response = receiver.response {
      return FetchedCopy(
        target: target, outcome: .success(response), certificateEnd: certificateEnd)
    }
    let failure = receiver.isNotHTTP ? .notHTTP : result.failure(timeout: timeout)
    return FetchedCopy(target: target, outcome: .failure(failure), certificateEnd: certificateEnd)
  }

  private func transfer(_ target: DeliveryTarget, _ settings: DeliverySettings) -> Transfer {
    var transfer = Transfer(
      url: "https://" + target.host + target.path, server: nil, host: target.host,
      userAgent: settings.userAgent, authorities: authorities, timeout: settings.timeout)
    if let base = target.base {
      // The connection goes to another server; the requested name stays.
      transfer.url =
        "\(base.isEncrypted ? "https" : "http")://\(target.host):\(base.port)\(base.path)\(target.path)"
      transfer.server = base.authority
    }
    return transfer
  }

  private static func seconds(until deadline: ContinuousClock.Instant) -> Double {
    let rest = (deadline - .now).components
    return max(0.001, Double(rest.seconds) + Double(rest.attoseconds) / 1e18)
  }
}

// MARK: - Transfers

struct Transfer {
  /// The URL, whose host is the name that the server's certificate needs.
  var url: String

  /// The server that replaces the URL's host, as `host:port`, or `nil`.
  var server: String?
  var host: String
  var userAgent: String

  /// Certificates of the authorities to trust, in PEM; empty for those of the system.
  var authorities: [UInt8]
  var timeout: Double

  /// A Boolean value indicating whether only the server's certificates are needed.
  ///
  /// The connection then ends before a request, and any certificate is accepted.
  var isProbe = false

  struct Result {
    /// libcurl's code; 0 if the complete answer was received.
    var code: CURLcode

    var message: String

    var systemError: Errno

    /// OpenSSL's code for the refusal of a certificate (`X509_V_ERR_…`), or 0.
    var verification: Int

    /// The certificates that the server presented, its own first; empty if unknown.
    var chain: [PresentedCertificate]
  }

  func perform(_ library: CurlLibrary, into receiver: CopyReceiver) -> Result {
    unsafe withUnsafePointer(to: library.functions) { curl in
      guard let handle = unsafe curl.pointee.easy_init() else {
        return Result(
          code: CURLE_FAILED_INIT, message: "out of memory", systemError: Errno(rawValue: 0),
          verification: 0, chain: [])
      }
      defer { unsafe curl.pointee.easy_cleanup(handle) }
      return unsafe withUnsafeTemporaryAllocation(
        of: CChar.self, capacity: Int(CURL_ERROR_SIZE)
      ) { message in
        unsafe message.initialize(repeating: 0)
        let lists = unsafe Self.set(
          ["Host: " + host, "Accept-Encoding: gzip"], CURLOPT_HTTPHEADER, curl, handle)
        let places = unsafe Self.set(
          server.map { ["::" + $0] } ?? [], CURLOPT_CONNECT_TO, curl, handle)
        defer {
          unsafe curl.pointee.slist_free_all(lists)
          unsafe curl.pointee.slist_free_all(places)
        }
        unsafe ccurl_set_pointer(curl, handle, CURLOPT_ERRORBUFFER, message.baseAddress)
        unsafe setOptions(curl, handle)
        unsafe receive(into: receiver, curl, handle)
        var code = unsafe setTrust(curl, handle)
        if code == CURLE_OK {
          // The callbacks use the receiver until the call returns.
          code = withExtendedLifetime(receiver) { unsafe curl.pointee.easy_perform(handle) }
        }
        let text =
          unsafe message.first == 0
          ? curl.pointee.easy_strerror(code) : UnsafePointer(message.baseAddress)
        return unsafe Result(
          code: code, message: text.map { unsafe String(cString: $0) } ?? "",
          systemError: Errno(
            rawValue: CInt(truncatingIfNeeded: ccurl_number(curl, handle, CURLINFO_OS_ERRNO))),
          verification: ccurl_number(curl, handle, CURLINFO_SSL_VERIFYRESULT),
          chain: Self.certificates(curl, handle))
      }
    }
  }

  private func setOptions(_ curl: UnsafePointer<ccurl_library>, _ handle: UnsafeMutableRawPointer) {
    func set(_ option: CURLoption, _ value: Int) {
      unsafe _ = ccurl_set_number(curl, handle, option, value)
    }
    func set(_ option: CURLoption, _ text: String) {
      unsafe _ = ccurl_set_pointer(curl, handle, option, text)
    }
    set(CURLOPT_URL, url)
    set(CURLOPT_USERAGENT, userAgent)
    // Don't let a proxy of the environment or a redirect lead to other servers.
    set(CURLOPT_PROXY, "")
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_PATH_AS_IS, 1)
    set(CURLOPT_HTTP09_ALLOWED, 0)
    // HTTP/2 where TLS negotiates it, else HTTP/1.1.
    set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    // The minimum that Apple's systems require.
    set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    set(CURLOPT_CERTINFO, 1)
    // Signals belong to the process, and this is only one of its threads.
    set(CURLOPT_NOSIGNAL, 1)
    let milliseconds = max(1, Int(timeout * 1_000))
    set(CURLOPT_TIMEOUT_MS, milliseconds)
    set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds)
    if isProbe {
      set(CURLOPT_CONNECT_ONLY, 1)
      set(CURLOPT_SSL_VERIFYPEER, 0)
      set(CURLOPT_SSL_VERIFYHOST, 0)
    }
  }

  private func setTrust(
    _ curl: UnsafePointer<ccurl_library>, _ handle: UnsafeMutableRawPointer
  ) -> CURLcode {
    if authorities.isEmpty { return CURLE_OK }
    return unsafe authorities.withUnsafeBytes { bytes in
      unsafe ccurl_set_authorities(curl, handle, bytes.baseAddress, bytes.count)
    }
  }

  /// Sets the receiver of head and body, which must live until the transfer has ended.
  private func receive(
    into receiver: CopyReceiver, _ curl: UnsafePointer<ccurl_library>,
    _ handle: UnsafeMutableRawPointer
  ) {
    let context = unsafe Unmanaged.passUnretained(receiver).toOpaque()
    for option in [CURLOPT_HEADERDATA, CURLOPT_WRITEDATA] {
      unsafe _ = ccurl_set_pointer(curl, handle, option, context)
    }
    // Returning a number other than that of the received bytes ends the transfer.
    unsafe _ = ccurl_set_receiver(curl, handle, CURLOPT_HEADERFUNCTION) {
      bytes, size, count, context in
      guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
      let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
      let receiver = unsafe Unmanaged<CopyReceiver>.fromOpaque(context).takeUnretainedValue()
      return unsafe receiver.receive(headLine: String(decoding: line, as: UTF8.self))
        ? line.count : 0
    }
    unsafe _ = ccurl_set_receiver(curl, handle, CURLOPT_WRITEFUNCTION) {
      bytes, size, count, context in
      guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
      let part = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
      let receiver = unsafe Unmanaged<CopyReceiver>.fromOpaque(context).takeUnretainedValue()
      return unsafe receiver.receive(body: part) ? part.count : 0
    }
  }

  /// Sets an option whose value is a list, which must be freed after the transfer.
  private static func set(
    _ lines: [String], _ option: CURLoption, _ curl: UnsafePointer<ccurl_library>,
    _ handle: UnsafeMutableRawPointer
  ) -> UnsafeMutablePointer<curl_slist>? {
    var list: UnsafeMutablePointer<curl_slist>? = nil
    for line in lines {
      if let longer = unsafe curl.pointee.slist_append(list, line) { unsafe list = longer }
    }
    unsafe _ = ccurl_set_pointer(curl, handle, option, list)
    return unsafe list
  }

  private static let chainLimit = 20

  private static func certificates(
    _ curl: UnsafePointer<ccurl_library>, _ handle: UnsafeMutableRawPointer
  ) -> [PresentedCertificate] {
    guard let found = unsafe ccurl_certificates(curl, handle) else { return [] }
    let count = unsafe min(Int(found.pointee.num_of_certs), chainLimit)
    guard count > 0, let lists = unsafe found.pointee.certinfo else { return [] }
    return (0..<count).compactMap { index in
      var fields: [String] = []
      var entry = unsafe lists[index]
      while let current = unsafe entry {
        if let data = unsafe current.pointee.data { fields.append(unsafe String(cString: data)) }
        unsafe entry = current.pointee.next
      }
      return PresentedCertificate(fields: fields)
    }
  }
}

// MARK: - Failures

extension Transfer.Result {
  var isCertificateRefused: Bool { code == CURLE_PEER_FAILED_VERIFICATION }

  func failure(timeout: Double) -> FetchFailure {
    switch code {
    // In a URL, only the host can be malformed: a label of 64 letters, or an empty one.
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_URL_MALFORMAT: .nameNotResolved
    case CURLE_OPERATION_TIMEDOUT: .timedOut(seconds: timeout)
    case CURLE_COULDNT_CONNECT:
      switch systemError {
      case .connectionRefused: .connectionRefused
      case .timedOut: .timedOut(seconds: timeout)
      case .connectionReset, .brokenPipe, .socketNotConnected: .noAnswer
      case Errno(rawValue: 0): .unreachable(message)
      default: .unreachable("\(systemError)")
      }
    // An invalid status line, HTTP/0.9, a violation of HTTP/2, or a field beyond libcurl's limit of
    // 100 KB. Versions of libcurl have different codes for these.
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2, CURLE_OUT_OF_MEMORY,
      CURLcode(rawValue: 100):
      .notHTTP
    case CURLE_PEER_FAILED_VERIFICATION: .certificate(chain: chain, isTrusted: isTrusted)
    case CURLE_SSL_CONNECT_ERROR: handshakeFailure
    case CURLE_FAILED_INIT: .unreachable(message)
    case CURLE_UNKNOWN_OPTION: .tls("'--ca-certificate' needs libcurl 7.77 or later")
    case CURLE_SSL_CACERT_BADFILE:
      .tls("the system has no list of authorities; install 'ca-certificates' (\(message))")
    case CURLE_SSL_CIPHER, CURLE_SSL_CERTPROBLEM, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_INVALIDCERTSTATUS, CURLE_USE_SSL_FAILED:
      .tls(message)
    // Empty replies, and connections that are reset.
    default: .noAnswer
    }
  }

  /// Whether an authority vouches for the certificate, so that only its names are wrong.
  ///
  /// OpenSSL has no error (0), or one about names (X509_V_ERR_HOSTNAME_MISMATCH and
  /// X509_V_ERR_IP_ADDRESS_MISMATCH). If libcurl checked the names after a successful handshake, it
  /// left its initial value (1).
  private var isTrusted: Bool { [0, 1, 62, 64].contains(verification) }

  /// The reason why TLS failed, from libcurl's message, because there are no codes for these.
  private var handshakeFailure: FetchFailure {
    let text = message.lowercased()
    if ["unsupported protocol", "alert protocol version"].contains(where: text.contains) {
      return .oldTLS
    }
    if ["wrong version number", "http request", "packet length too long"]
      .contains(where: text.contains)
    {
      return .tls("the server does not speak TLS on this port")
    }
    if ["reset by peer", "ssl_error_syscall", "unexpected eof"].contains(where: text.contains) {
      return .tls("the server ended the handshake")
    }
    // `error:0A000410:SSL routines::sslv3 alert handshake failure`: the last part names it.
    return .tls(message.split(separator: ":").last.map(String.init) ?? message)
  }
}
#else
/// The replacement for libcurl in a program that was built without its headers: none is ever made.
struct CurlLibrary: Sendable {
  init(including own: [UInt8]) throws(MissingCurl) { throw .notBuiltIn }

  func copy(_ target: DeliveryTarget, _ settings: DeliverySettings) -> FetchedCopy {
    FetchedCopy(target: target, outcome: .failure(.unreachable("built without libcurl")))
  }
}
#endif
