#if Curl
internal import CCurl
internal import FoundationSubset
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

  /// The library, or the reason why there is none.
  static let shared: Result<CurlLibrary, MissingCurl> = {
    var functions = ccurl_library()
    // The loader's text is valid until its next call, and copied here.
    if let reason = unsafe ccurl_load(&functions) {
      return .failure(.notLoaded(unsafe String(cString: reason)))
    }
    return .success(CurlLibrary(functions: functions))
  }()

  /// Returns certificates of authorities, combined with those that the library trusts by default.
  ///
  /// - Parameter own: Certificates in PEM.
  /// - Returns: All certificates in PEM; none if `own` is empty, because the library's default is
  ///   enough then.
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
/// The replacement for libcurl in a program that was built without its headers.
enum CurlLibrary {
  static let shared: Result<CurlLibrary, MissingCurl> = .failure(.notBuiltIn)

  func authorities(including own: [UInt8]) -> [UInt8] { switch self {} }
}
#endif
