internal import AccessLogs
internal import Foundations

/// The path of a URL with its variable segments folded.
///
/// This is the first step to a path group; the second one needs all paths of a site.
///
/// A segment of digits becomes `{n}`, and a UUID `{uuid}`. A segment of eight or more hexadecimal
/// digits with at least one decimal digit becomes `{hex}`. Braces in a path are percent-encoded, so
/// a template is unambiguous.
public enum PathTemplate {
  /// Returns a Boolean value indicating whether a segment of a template is a
  /// placeholder.
  public static func isPlaceholder(_ segment: some Collection<UInt8>) -> Bool {
    // Only placeholders have braces.
    segment.first == UInt8(ascii: "{")
  }

  /// The placeholder of a segment of digits.
  public static let number = "{n}"

  /// The placeholder of a UUID.
  public static let uuid = "{uuid}"

  /// The placeholder of a segment of hexadecimal digits.
  public static let hexadecimal = "{hex}"

  /// The segment that replaces any number of different literal ones.
  public static let anything = "{*}"

  /// The number of segments that a template distinguishes; the rest of a path folds to `{*}`.
  public static let segmentLimit = 64

  /// Returns a Boolean value indicating whether a template has at most as many segments as the
  /// template of a path.
  static func isPlausible(_ template: Span<UInt8>) -> Bool {
    var (slashes, from) = (0, 0)
    while let slash = template.firstIndex(of: UInt8(ascii: "/"), from: from) {
      (slashes, from) = (slashes + 1, slash + 1)
      if slashes > segmentLimit + 1 { return false }
    }
    return true
  }

  /// Appends the template of a path, which is used verbatim except for braces.
  public static func append(folding path: Span<UInt8>, to output: inout [UInt8]) {
    var (start, segments) = (0, 0)
    while true {
      // An absolute path begins with an empty segment.
      guard segments <= segmentLimit else {
        output.append(contentsOf: anything.utf8)
        return
      }
      segments += 1
      let end = path.firstIndex(of: UInt8(ascii: "/"), from: start) ?? path.count
      let segment = path.extracting(start..<end)
      if let placeholder = placeholder(of: segment) {
        output.append(contentsOf: placeholder.utf8)
      } else {
        append(escaping: segment, to: &output)
      }
      guard end < path.count else { return }
      output.append(UInt8(ascii: "/"))
      start = end + 1
    }
  }

  /// Appends a path verbatim except for braces, which only placeholders have.
  public static func append(escaping path: Span<UInt8>, to output: inout [UInt8]) {
    // Few paths have braces.
    if path.firstIndex(of: UInt8(ascii: "{")) == nil, path.firstIndex(of: UInt8(ascii: "}")) == nil
    {
      path.append(to: &output)
      return
    }
    for index in path.indices {
      switch path[index] {
      case UInt8(ascii: "{"): output.append(contentsOf: "%7B".utf8)
      case UInt8(ascii: "}"): output.append(contentsOf: "%7D".utf8)
      case let byte: output.append(byte)
      }
    }
  }

  /// Returns the placeholder of a segment, or `nil` if it is literal.
  static func placeholder(of segment: Span<UInt8>) -> String? {
    guard segment.count > 0 else { return nil }
    var (digits, hexadecimals, hyphens) = (0, 0, 0)
    for index in segment.indices {
      let byte = segment[index]
      if byte.isDigit {
        digits += 1
      } else if byte.isHexadecimalDigit {
        hexadecimals += 1
      } else if byte == UInt8(ascii: "-"), segment.count == 36,
        index == 8 || index == 13 || index == 18 || index == 23
      {
        hyphens += 1
      } else {
        return nil
      }
    }
    if hyphens > 0 { return hyphens == 4 ? uuid : nil }
    if hexadecimals == 0 { return number }
    return segment.count >= 8 && digits > 0 ? hexadecimal : nil
  }
}
