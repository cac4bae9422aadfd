#if Curl
internal import CCurl
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
#endif

/// The reason why no request can be made on this machine.
public enum MissingCurl: Error, Hashable, Sendable {
  /// This program was built without libcurl's declarations.
  case notBuiltIn

  /// The system has no libcurl that can be used, for the reason that its loader gives.
  case notLoaded(String)
}

#if Curl
/// libcurl, which the system loads when the first request is made.
struct CurlLibrary: Sendable {
  /// Its functions; each can be called from any thread.
  let functions: ccurl_library

  /// The library, or the reason why there is none.
  static let shared: Result<CurlLibrary, MissingCurl> = {
    var functions = ccurl_library()
    // The loader's text is valid until its next call, and copied here.
    if let reason = unsafe ccurl_load(&functions) {
      return .failure(.notLoaded(unsafe String(cString: reason)))
    }
    return .success(CurlLibrary(functions: functions))
  }()

  /// Returns certificates of authorities together with those that the library trusts by itself.
  ///
  /// - Parameter own: Certificates in PEM.
  /// - Returns: All certificates in PEM; none if there are no own ones, as the library then needs
  ///   nothing.
  func authorities(including own: [UInt8]) -> [UInt8] {
    if own.isEmpty { return [] }
    let path = unsafe withUnsafePointer(to: functions) { functions in
      unsafe ccurl_default_authorities(functions).map { unsafe String(cString: $0) }
    }
    let system = path.flatMap { try? Data(contentsOf: URL(filePath: $0)) }
    return Array(system ?? Data()) + [0x0A] + own
  }
}
#else
/// libcurl, of which a program that was built without its headers has none.
enum CurlLibrary {
  static let shared: Result<CurlLibrary, MissingCurl> = .failure(.notBuiltIn)

  func authorities(including own: [UInt8]) -> [UInt8] { switch self {} }
}
#endif
