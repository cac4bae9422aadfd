internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL

/// Asks sites and Apple's CDN for association files.
///
/// Nobody else is asked: redirects are not followed, and proxies of the environment not
/// used. There is one request for each copy, at most one more for the root path of a site,
/// and, where a certificate is refused, one more connection to see why.
public struct DeliveryClient: Sendable {
  /// How servers are asked.
  private let settings: DeliverySettings

  private let group = MultiThreadedEventLoopGroup.singleton

  /// The greatest number of hosts that are asked at the same time.
  private static let width = 8

  /// Creates a client.
  public init(_ settings: DeliverySettings) { self.settings = settings }

  /// What came of asking about a host.
  public struct Answers: Sendable {
    /// A copy of each source, in the order in which they were named.
    public var copies: [FetchedCopy]

    /// The file at the site's root path, if it was looked for there.
    public var root: FetchedCopy?
  }

  /// Asks about hosts, and waits for all answers.
  ///
  /// - Parameters:
  ///   - hosts: Names of hosts, as ``BaseURL/isHostName(_:)`` allows them.
  ///   - sources: The sources of each.
  ///   - now: The time by which is told whether a file may be at the root path.
  /// - Returns: The answers, in the order of the hosts.
  @available(*, noasync)
  public func answers(of hosts: [String], from sources: [DeliverySource], now: HTTPDate)
    -> [Answers]
  {
    let answers = group.any().makeFutureWithTask {
      await self.answers(of: hosts, from: sources, now: now)
    }
    // The task throws nothing.
    return (try? answers.wait()) ?? []
  }

  private func answers(
    of hosts: [String], from sources: [DeliverySource], now: HTTPDate
  ) async -> [Answers] {
    await withTaskGroup(of: (Int, Answers).self) { tasks in
      var answers: [Int: Answers] = [:]
      for (index, host) in hosts.enumerated() {
        if index >= Self.width, let (place, answer) = await tasks.next() { answers[place] = answer }
        tasks.addTask { (index, await self.answers(of: host, from: sources, now: now)) }
      }
      for await (place, answer) in tasks { answers[place] = answer }
      return hosts.indices.compactMap { answers[$0] }
    }
  }

  private func answers(
    of host: String, from sources: [DeliverySource], now: HTTPDate
  ) async -> Answers {
    var answers = Answers(copies: [], root: nil)
    for source in sources {
      let base = settings.baseURLs[source]
      let copy = await self.copy(.wellKnown(source, of: host, base: base))
      answers.copies.append(copy)
      if HostDelivery.needsRoot(copy, now: now) {
        answers.root = await self.copy(.root(of: host, base: base))
      }
    }
    return answers
  }

  /// Asks for a copy.
  private func copy(_ target: DeliveryTarget) async -> FetchedCopy {
    let nanoseconds = Int64(settings.timeout * 1_000_000_000)
    let deadline = NIODeadline.now() + .nanoseconds(nanoseconds)
    let client = HTTPClient(
      eventLoopGroupProvider: .shared(group), configuration: configuration(target, nanoseconds))
    // A connection that doesn't come about isn't waited for.
    defer { client.shutdown { _ in } }
    let receiver = CopyReceiver()
    do {
      try await client.execute(
        request: try request(target), delegate: receiver, deadline: deadline
      ).futureResult.get()
    } catch {
      let kind = FailureKind(error)
      let end: DeliveryResponse.BodyEnd =
        if case .timedOut = kind { .tooSlow(seconds: settings.timeout) } else { .cut }
      guard let response = receiver.response(end) else {
        return FetchedCopy(
          target: target, outcome: .failed(await failure(kind, target, deadline)))
      }
      return FetchedCopy(target: target, outcome: .answered(response))
    }
    guard let response = receiver.response(.whole) else {
      return FetchedCopy(target: target, outcome: .failed(.noAnswer))
    }
    return FetchedCopy(target: target, outcome: .answered(response))
  }

  private func failure(
    _ kind: FailureKind, _ target: DeliveryTarget, _ deadline: NIODeadline
  ) async -> FetchFailure {
    switch kind {
    case .known(let failure): return failure
    case .timedOut: return .timedOut(seconds: settings.timeout)
    case .certificate(let isTrusted):
      let chain = await CertificateProbe.chain(
        target, tls: settings.tls(.fullVerification), deadline: deadline, group: group)
      return .certificate(RefusedCertificate(chain: chain, isTrusted: isTrusted))
    }
  }

  private func request(_ target: DeliveryTarget) throws -> HTTPClient.Request {
    let base = target.base
    let scheme = base?.isEncrypted == false ? "http://" : "https://"
    let port = base.map { ":\($0.port)" } ?? ""
    return try HTTPClient.Request(
      url: scheme + target.host + port + (base?.path ?? "") + target.path, method: .GET,
      headers: [
        "Host": target.host, "User-Agent": settings.userAgent, "Accept": "*/*",
        "Accept-Encoding": "gzip",
      ])
  }

  private func configuration(
    _ target: DeliveryTarget, _ nanoseconds: Int64
  ) -> HTTPClient.Configuration {
    var configuration = HTTPClient.Configuration(
      redirectConfiguration: .disallow,
      timeout: .init(connect: .nanoseconds(nanoseconds)), decompression: .disabled)
    configuration.httpVersion = .http1Only
    configuration.connectionPool.retryConnectionEstablishment = false
    guard let base = target.base else {
      configuration.tlsConfiguration = settings.tls(.fullVerification)
      return configuration
    }
    // The connection goes elsewhere; what is asked for, and under which name, stays.
    configuration.dnsOverride = [target.host: base.host]
    guard base.isEncrypted else { return configuration }
    configuration.tlsConfiguration = settings.tls(.noHostnameVerification)
    let names = target.names
    configuration.http1_1ConnectionDebugInitializer = { channel in
      Self.checkNames(names, of: channel)
    }
    return configuration
  }

  /// Ends a connection whose certificate has none of some names, before anything is asked.
  private static func checkNames(
    _ names: [String], of channel: any Channel
  ) -> EventLoopFuture<Void> {
    channel.nioSSL_peerCertificate().flatMapThrowing { certificate in
      let presented = certificate.flatMap { PresentedCertificate($0) }
      guard let presented, names.contains(where: { presented.isFor($0) }) else {
        // The pool forgets the connection first.
        channel.eventLoop.execute { channel.close(promise: nil) }
        throw WrongHostCertificate()
      }
    }
  }
}
