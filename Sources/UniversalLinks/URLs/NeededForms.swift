/// The forms of a URL's components that some rules are compared with.
struct NeededForms: Sendable {
  /// A set of forms: a bit for each, by raw value.
  struct Forms: Sendable {
    private var bits: UInt8 = 0

    /// Adds a form.
    mutating func insert(_ form: TextForm) { bits |= 1 << form.rawValue }

    /// Calls `body` with each form.
    @inline(__always)
    func forEachForm(_ body: (TextForm) -> Void) {
      var rest = bits
      while rest != 0 {
        body(TextForm(rawValue: UInt8(rest.trailingZeroBitCount)))
        rest &= rest - 1
      }
    }
  }

  var path = Forms()
  var query = Forms()
  var items = Forms()
  var fragment = Forms()
}

extension LinkURL {
  /// Updates the needed forms, so that rules can be evaluated.
  mutating func prepare(_ needed: NeededForms) {
    needed.path.forEachForm { path.prepare($0) }
    needed.query.forEachForm { query.prepare($0) }
    needed.items.forEachForm { prepareItems($0) }
    needed.fragment.forEachForm { fragment.prepare($0) }
  }
}
