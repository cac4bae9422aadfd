internal import SystemPackage

extension FileDescriptor.SeekOrigin {
  /// Seeks to the first byte from an offset on that is stored, not in a hole.
  ///
  /// Without holes, or on a file system without support for them, it is the offset itself. If a
  /// hole reaches to the end of the file, the error is `ENXIO`. The corresponding C constant is
  /// `SEEK_DATA`.
  static var storedData: Self {
    // swift-system has no name for it on Linux.
    #if canImport(Darwin)
    nextData
    #else
    Self(rawValue: 3)
    #endif
  }
}
