/// The names of hosts, templates and dimensions, to which the numbers in targets and counts refer.
///
/// It grows as targets are read; what has been numbered keeps its number for as long
/// as ``generation`` stays the same.
package final class TargetNames {
  /// Names that take more bytes than this are forgotten and numbered anew.
  static let byteLimit = 1 << 22

  /// The same for the number of hosts.
  static let hostLimit = 1 << 16

  /// A number that changes when all that has been numbered is forgotten.
  package private(set) var generation = 0

  /// A number that changes with every name.
  package private(set) var version = 0

  /// The part whose names these are, or `nil` if they are those of runs.
  private var part: DigestPart?

  /// The hosts.
  package private(set) var hosts: [String] = []

  /// The hosts of runs as bytes.
  private var runHosts: [[UInt8]] = []

  /// A host as bytes: others may read the same.
  package func hostBytes(_ number: Int) -> [UInt8] {
    part?.hosts.array(number) ?? runHosts[number]
  }

  /// The combinations of dimensions.
  package private(set) var combinations: [PackedDimensions] = []

  /// The pages that same-host visits came from.
  package private(set) var pages: [PageKey] = []

  /// The templates of those pages, as logged.
  package private(set) var templates: [[UInt8]] = []

  package init() {}

  /// Becomes what a part of a digest numbers, unless it is that already.
  func become(_ part: DigestPart) {
    guard self.part !== part else { return }
    self.part = part
    generation += 1
    version += 1
    runHosts = []
    hosts = (0..<part.hosts.count).map { part.hosts.string($0) }
    combinations = (0..<part.combinations.count).map {
      PackedDimensions(bits: part.combinations[$0])
    }
    pages = (0..<part.pages.count).map { PageKey(bits: part.pages[$0]) }
    templates = (0..<part.templates.count).map { part.templates.array($0) }
  }

  /// Forgets all names.
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
    combinations.append(PackedDimensions(bits: combination))
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
