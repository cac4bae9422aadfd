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

  // The values of runs that have been numbered, in the order of their names.
  private var combinationNumbers = WordTable()
  private var pageNumbers = WordTable()

  /// The templates of runs, which ``RunMerge`` numbers; ``addTemplates()`` adds their names.
  var templateNumbers = ByteTable()

  /// A Boolean value indicating whether the names of runs must be discarded before others are added.
  var areFull: Bool {
    templateNumbers.byteCount + pageNumbers.byteCount + combinationNumbers.byteCount
      > Self.byteLimit || hosts.count >= Self.hostLimit
  }

  /// Discards all names.
  func removeAll() {
    generation += 1
    version += 1
    part = nil
    (hosts, runHosts) = ([], [])
    (combinations, pages, templates) = ([], [], [])
    combinationNumbers = WordTable()
    pageNumbers = WordTable()
    templateNumbers = ByteTable()
  }

  /// Adds a host of runs, which gets the next number.
  func append(host: [UInt8]) {
    hosts.append(String(decoding: host, as: UTF8.self))
    runHosts.append(host)
    version += 1
  }

  /// Adds the names of templates that have new numbers.
  func addTemplates() {
    while templates.count < templateNumbers.count {
      templates.append(templateNumbers.array(templates.count))
      version += 1
    }
  }

  /// Returns the number of a combination of dimensions of runs, which gets the next one if it is
  /// new.
  func number(ofCombination dimensions: UInt64) -> UInt32 {
    let number = combinationNumbers.insert(dimensions)
    if number == combinations.count {
      combinations.append(Dimensions(bits: dimensions))
      version += 1
    }
    return number
  }

  /// Returns the number of a page of runs, which gets the next one if it is new.
  func number(ofPage page: PageKey) -> UInt32 {
    let number = pageNumbers.insert(page.bits)
    if number == pages.count {
      pages.append(page)
      version += 1
    }
    return number
  }
}
