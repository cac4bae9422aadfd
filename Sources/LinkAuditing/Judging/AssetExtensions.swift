/// The extensions of paths that aren't pages.
public struct AssetExtensions: Sendable {
  /// The extensions that are known to begin with.
  public static let standard = AssetExtensions(
    "css js mjs map json xml txt png jpg jpeg gif svg webp avif ico bmp woff woff2 ttf otf eot mp3 "
      + "mp4 webm ogg wav wasm")

  private let extensions: Set<[UInt8]>
  private let longest: Int

  /// Creates a set of extensions.
  ///
  /// - Parameter list: The extensions without full stops, separated by spaces.
  public init(_ list: String) {
    extensions = Set(list.split(separator: " ").map { Array($0.lowercased().utf8) })
    longest = extensions.map(\.count).max() ?? 0
  }

  /// Returns a Boolean value indicating whether a path ends with one of the
  /// extensions, in any letter case.
  func contains(extensionOf path: [UInt8]) -> Bool {
    var start = path.count
    while start > 0, path.count - start <= longest {
      let byte = path[start - 1]
      if byte == UInt8(ascii: "/") { return false }
      if byte == UInt8(ascii: ".") {
        return extensions.contains(
          path[start...].map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 })
      }
      start -= 1
    }
    return false
  }
}
