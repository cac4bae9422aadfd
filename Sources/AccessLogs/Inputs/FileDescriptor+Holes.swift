internal import SystemPackage

extension FileDescriptor.SeekOrigin {
  /// Leads to the first byte from an offset on that is stored, and not in a hole.
  ///
  /// That of a file without holes, or of a file system that doesn't know of any, is the offset
  /// itself; where a hole reaches to the end of the file, the error is `ENXIO`. The corresponding C
  /// constant is `SEEK_DATA`.
  static var storedData: Self {
    // The package has no name for it on Linux.
    #if canImport(Darwin)
    nextData
    #else
    Self(rawValue: 3)
    #endif
  }
}
