/// The names of hosts, templates and dimensions, to which the numbers in targets and counts refer.
///
/// It grows as targets are read. Numbers are stable as long as ``generation`` stays the same.
package final class TargetNames {
  /// The maximum number of bytes of names; beyond it, all are discarded and numbered again.
  static let byteLimit = 1 << 22

  /// The same limit for the number of hosts.
  static let hostLimit = 1 << 16

  /// A number that changes when all numbers are discarded.
  package private(set) var generation = 0

  /// A number that changes with every name.
  package private(set) var version = 0

  /// The part whose names these are, or `nil` if they are those of runs.
  private var part: DigestPart?

  /// The hosts.
  package private(set) var hosts: [String] = []

  /// The hosts of runs as bytes.
  private var runHosts: [[UInt8]] = []

  /// A host as bytes; as text, different hosts may be equal.
  package func hostBytes(_ number: Int) -> [UInt8] {
    part?.hosts.array(number) ?? runHosts[number]
  }

  /// The combinations of dimensions.
  package private(set) var combinations: [Dimensions] = []

  /// The pages with links that same-host visits followed.
  package private(set) var pages: [PageKey] = []

  /// The templates of those pages, as logged.
  package private(set) var templates: [[UInt8]] = []

  package init() {}

  /// Switches to the numbers of a part of a digest, unless they are in use already.
  func become(_ part: DigestPart) {
    guard self.part !== part else { return }
    self.part = part
    generation += 1
    version += 1
    runHosts = []
    hosts = (0..<part.hosts.count).map { part.hosts.string($0) }
    combinations = (0..<part.combinations.count).map {
      Dimensions(bits: part.combinations[$0])
    }
    pages = (0..<part.pages.count).map { PageKey(bits: part.pages[$0]) }
    templates = (0..<part.templates.count).map { part.templates.array($0) }
  }

  /// Discards all names.
  func removeAll() {
    generation += 1
    version += 1
    part = nil
    (hosts, runHosts) = ([], [])
    (combinations, pages, templates) = ([], [], [])
  }

  func append(host: [UInt8]) {
    hosts.append(String(decoding: host, as: UTF8.self))
    runHosts.append(host)
    version += 1
  }

  func append(combination: UInt64) {
    combinations.append(Dimensions(bits: combination))
    version += 1
  }

  func append(page: UInt64) {
    pages.append(PageKey(bits: page))
    version += 1
  }

  func append(template: [UInt8]) {
    templates.append(template)
    version += 1
  }
}
