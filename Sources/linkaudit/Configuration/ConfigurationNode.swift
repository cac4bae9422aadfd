internal import AccessLogs
internal import Reporting
internal import Yams

/// A value in a configuration, with the keys that lead to it.
struct ConfigurationNode {
  let path: String
  let node: Node

  /// The keys that lead here, such as `sites[0].hosts`.
  let place: String

  /// A complaint that names the file, the line, and the column.
  func complaint(_ message: String) -> Complaint {
    Self.complaint(message, at: node.mark, in: path)
  }

  static func complaint(_ message: String, at mark: Mark?, in path: String) -> Complaint {
    Complaint("'\(path)'\(mark.map { ", line \($0.line), column \($0.column)" } ?? ""): \(message)")
  }

  private var name: String { place.isEmpty ? "the configuration" : "'\(place)'" }

  /// Calls `read` with each key and its value.
  ///
  /// - Parameters:
  ///   - keys: The keys that are known.
  ///   - read: A function that converts a value.
  /// - Throws: ``Complaint`` for any other key, and anything but a mapping.
  func forEachKey(of keys: [String], _ read: (String, ConfigurationNode) throws -> Void) throws {
    // An empty file or section is one without keys.
    if node.isEmpty { return }
    guard let mapping = node.mapping else {
      throw complaint("\(name) must have keys, such as '\(keys.first ?? "")'")
    }
    for (key, value) in mapping {
      guard let text = key.scalar?.string, keys.contains(text) else {
        let text = key.scalar?.string ?? "?"
        let nearest = NearestName.find(text, among: keys)
        let remedy =
          nearest.map { "did you mean '\($0)'?" } ?? "keys are \(keys.joined(separator: ", "))"
        throw Self.complaint(
          "'\(text)' is not a key of \(name); \(remedy)", at: key.mark, in: path)
      }
      let place = place.isEmpty ? text : place + "." + text
      // A key without a value is as good as none.
      let child = ConfigurationNode(path: path, node: value, place: place)
      if !value.isEmpty { try read(text, child) }
    }
  }

  /// The elements of a list.
  func elements() throws -> [ConfigurationNode] {
    guard let sequence = node.sequence else { throw complaint("\(name) must be a list") }
    return sequence.enumerated().map { index, node in
      ConfigurationNode(path: path, node: node, place: "\(place)[\(index)]")
    }
  }

  /// A text.
  func text() throws -> String {
    guard let scalar = node.scalar else { throw complaint("\(name) must be text") }
    return scalar.string
  }

  /// A text, or a list of them.
  func texts() throws -> [String] {
    node.sequence == nil ? [try text()] : try elements().map { try $0.text() }
  }

  /// The number, or `nil` for another value.
  private var wholeNumber: Int? { hasColon ? nil : node.int }

  /// Whether the text of a number contains a colon, as in `1:30`.
  ///
  /// YAML reads that as a number of base 60, which nobody means and which can overflow.
  private var hasColon: Bool { node.scalar?.string.contains(":") ?? false }

  /// A whole number.
  func number() throws -> Int {
    guard let number = wholeNumber else { throw complaint("\(name) must be a whole number") }
    return number
  }

  /// Yes or no, as `true` or `false`.
  func flag() throws -> Bool {
    guard let flag = node.bool else { throw complaint("\(name) must be true or false") }
    return flag
  }

  /// A number.
  func decimalNumber() throws -> Double {
    guard let number = hasColon ? nil : node.float ?? node.int.map(Double.init) else {
      throw complaint("\(name) must be a number")
    }
    return number
  }
}

extension Node {
  /// A Boolean value indicating whether the node is empty.
  fileprivate var isEmpty: Bool {
    guard let scalar else { return false }
    return scalar.style == .plain
      && (scalar.string.isEmpty || scalar.string == "~" || scalar.string == "null")
  }
}
