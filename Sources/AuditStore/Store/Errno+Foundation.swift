internal import Foundations
internal import SystemPackage

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Errno {
  /// Creates the system's error from an error of Foundation.
  init(_ error: any Error) {
    if let error = error as? Errno {
      self = error
    } else if let error = error as? CocoaError,
      let underlying = error.underlying as? POSIXError
    {
      self.init(rawValue: underlying.code.rawValue)
    } else if let error = error as? POSIXError {
      self.init(rawValue: error.code.rawValue)
    } else {
      self = .ioError
    }
  }
}
