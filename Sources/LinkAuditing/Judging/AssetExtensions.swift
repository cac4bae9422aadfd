internal import AccessLogs
internal import Foundations
internal import TrafficDigest

/// The extensions of paths that aren't pages.
public struct AssetExtensions: Sendable {
  /// The extensions that are known to begin with.
  public static let standard = AssetExtensions(
    "css js mjs map json xml txt png jpg jpeg gif svg webp avif ico bmp woff woff2 ttf otf eot mp3 "
      + "mp4 webm ogg wav wasm")

  private let extensions: Set<[UInt8]>
  private let longest: Int

  /// Those of up to seven bytes, each as a number.
  private let keys: Set<UInt64>

  /// For each byte, whether an extension ends with it, in either letter case.
  ///
  /// Most paths without an extension are recognized by their last byte.
  private let lastBytes: [Bool]

  /// Creates a set of extensions.
  ///
  /// - Parameter list: The extensions without full stops, separated by spaces or commas.
  public init(_ list: String) {
    extensions = Set(
      list.split { $0 == " " || $0 == "," }.map { name in
        Array(name.drop { $0 == "." }.lowercased().utf8)
      })
    longest = extensions.map(\.count).max() ?? 0
    keys = Set(
      extensions.filter { $0.count < 8 }.map { $0.reduce(0) { $0 << 8 | UInt64($1) } })
    var lastBytes = Array(repeating: false, count: 256)
    for last in extensions.compactMap(\.last) {
      lastBytes[Int(last)] = true
      if (0x61...0x7A).contains(last) { lastBytes[Int(last) - 0x20] = true }
    }
    self.lastBytes = lastBytes
  }

  /// The extensions in ascending order, in lower case and without full stops.
  package var names: [String] {
    extensions.map { String(decoding: $0, as: UTF8.self) }.sorted()
  }

  /// Returns a Boolean value indicating whether a path ends with one of the
  /// extensions, in any letter case.
  func contains(extensionOf path: Span<UInt8>) -> Bool {
    guard path.count > 0, lastBytes[Int(path[path.count - 1])] else { return false }
    var start = path.count - 1
    while start > 0, path.count - start <= longest {
      start -= 1
      if path[start] == UInt8(ascii: "/") { return false }
      if path[start] == UInt8(ascii: ".") { return contains(path, from: start + 1) }
    }
    return false
  }

  /// Returns a Boolean value indicating whether a path has an extension from a position on.
  private func contains(_ path: Span<UInt8>, from start: Int) -> Bool {
    var key = UInt64(0)
    guard path.count - start < 8 else {
      return extensions.contains((start..<path.count).map { path[$0].asciiLowercased })
    }
    for index in start..<path.count { key = key << 8 | UInt64(path[index].asciiLowercased) }
    return keys.contains(key)
  }
}
