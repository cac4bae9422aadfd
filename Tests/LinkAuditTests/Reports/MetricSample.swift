import Testing

@testable import LinkAuditCommand
@testable import Reporting

/// A sample of the text format of Prometheus.
struct MetricSample {
  /// A text that isn't valid in the format.
  struct Invalid: Error { var line: String }

  var name: String
  var labels: [String: String]
  var value: Int

  /// Reads a complete text, except comments.
  static func parse(_ text: String) throws -> [MetricSample] {
    try text.split(separator: "\n", omittingEmptySubsequences: true)
      .filter { !$0.hasPrefix("#") }.map { try MetricSample(String($0)) }
  }

  init(_ line: String) throws {
    var rest = line.unicodeScalars[...]
    func take(while isIncluded: (Unicode.Scalar) -> Bool) -> String {
      let part = rest.prefix(while: isIncluded)
      rest = rest.dropFirst(part.count)
      return String(String.UnicodeScalarView(part))
    }
    func isName(_ scalar: Unicode.Scalar) -> Bool {
      scalar == "_" || scalar.isASCII && scalar.properties.isAlphabetic
        || ("0"..."9").contains(scalar)
    }
    name = take(while: isName)
    labels = [:]
    if rest.first == "{" {
      rest.removeFirst()
      while rest.first != "}" {
        let label = take(while: isName)
        guard !label.isEmpty, rest.starts(with: "=\"".unicodeScalars) else {
          throw Invalid(line: line)
        }
        rest.removeFirst(2)
        var value = ""
        while let scalar = rest.popFirst(), scalar != "\"" {
          guard scalar == "\\" else {
            value.unicodeScalars.append(scalar)
            continue
          }
          switch rest.popFirst() {
          case "n": value += "\n"
          case "\\": value += "\\"
          case "\"": value += "\""
          default: throw Invalid(line: line)
          }
        }
        guard labels.updateValue(value, forKey: label) == nil else { throw Invalid(line: line) }
        if rest.first == "," { rest.removeFirst() }
      }
      rest.removeFirst()
    }
    guard rest.popFirst() == " ", let value = Int(String(String.UnicodeScalarView(rest))) else {
      throw Invalid(line: line)
    }
    self.value = value
  }
}

/// Returns the output of a renderer.
func collected(_ produce: (@escaping OutputSink) throws -> Void) rethrows -> [UInt8] {
  final class Box { var bytes: [UInt8] = [] }
  let box = Box()
  try produce { box.bytes += $0 }
  return box.bytes
}
