#if Curl
internal import CCurl
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

  /// The path of the file with the authorities that the library trusts, or `nil`.
  var defaultAuthorities: String? {
    unsafe withUnsafePointer(to: functions) { functions in
      unsafe ccurl_default_authorities(functions).map { unsafe String(cString: $0) }
    }
  }
}
#endif
