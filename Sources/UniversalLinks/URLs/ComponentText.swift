/// One component of a URL in each form that has been asked for.
///
/// The arrays keep their space from one URL to the next.
struct ComponentText: Sendable {
  /// The component as the URL spells it, percent-encoded.
  private var source: [UInt8] = []

  /// The forms, by raw value of ``TextForm``.
  private var forms: [[UInt8]] = Array(repeating: [], count: TextForm.count)

  /// A bit for each form that is up to date.
  private var prepared: UInt8 = 0

  private let isPath: Bool

  init(isPath: Bool = false) {
    self.isPath = isPath
  }

  /// Replaces the component, percent-encoding what a URL cannot hold.
  mutating func set(_ text: Span<UInt8>) {
    source.removeAll(keepingCapacity: true)
    PercentEncoding.append(encoding: text, to: &source)
    prepared = 0
  }

  /// The component as the URL spells it, percent-encoded.
  var encodedSource: [UInt8] { source }

  /// The bytes of a form, a path's normalised; ``prepare(_:)`` comes first.
  subscript(form: TextForm) -> [UInt8] {
    forms[Int(form.rawValue)]
  }

  /// Brings a form up to date.
  mutating func prepare(_ form: TextForm) {
    let bit: UInt8 = 1 << form.rawValue
    guard prepared & bit == 0 else { return }
    prepared |= bit
    let index = Int(form.rawValue)
    // Taken out while it is written, so that the others can be read.
    var text: [UInt8] = []
    swap(&text, &forms[index])
    text.removeAll(keepingCapacity: true)
    if form.contains(.folded) {
      let unfolded = form.subtracting(.folded)
      prepare(unfolded)
      SimpleCaseFolding.append(folding: forms[Int(unfolded.rawValue)], to: &text)
    } else {
      if form.contains(.decoded) {
        PercentEncoding.append(decoding: source.span, to: &text)
      } else {
        text.append(contentsOf: source)
      }
      if isPath { PathNormalization.normalize(&text) }
    }
    swap(&text, &forms[index])
  }
}
