internal import AccessLogs
internal import TrafficDigest

/// Some input could not be read whole.
enum InputIncomplete: InputFindingKind {
  static let code = Finding.Code.inputIncomplete
  static let title = "Input that could not be read whole"
  static let condition = "an input could not be read to the end"
  static let meaning =
    "The lines behind the damage are not counted, so every figure of the report is too low."
  static let remedy =
    "Copy the log again from where it was written and run the report again; a log that is "
    + "still being compressed is complete a little later."
  static let severity = FindingSeverity.fixed(.error)

  static func findings(in context: InputFindingContext) -> [Finding] {
    let damaged = context.digest.inputs.filter { $0.damage != nil }
    guard !damaged.isEmpty else { return [] }
    var evidence = Finding.Evidence()
    evidence.logs = damaged.prefix(Finding.Evidence.limit).map(\.path)
    let isUnopened = damaged.allSatisfy { $0.damage?.isUnopened ?? false }
    let what = isUnopened ? "could not be read" : "could not be read to the end"
    return [
      finding(
        .error, host: nil,
        "\(damaged.count.counted("input")) \(what); the figures miss what could not.",
        Traffic(), evidence,
        share: Finding.share(damaged.count, of: context.digest.inputs.count),
        remedy: remedy(damaged.compactMap(\.damage), isUnopened: isUnopened))
    ]
  }

  /// What to do: a log that expands too far isn't better when it is copied again.
  private static func remedy(_ damage: [LogDamage], isUnopened: Bool) -> String? {
    let packed = damage.count {
      switch $0.kind {
      case .unsupported, .archive, .nested: true
      default: false
      }
    }
    if packed == damage.count { return "Decompress or unpack it first." }
    let foreign = damage.count { if case .foreign = $0.kind { true } else { false } }
    if packed + foreign == damage.count { return "Convert or decompress it first." }
    let tails = damage.count { if case .compressedTail = $0.kind { true } else { false } }
    if tails == damage.count { return "Split the file where the compressed data begins." }
    if isUnopened { return "Check the path, and who may read it." }
    let expanded = damage.count { if case .expansionLimit = $0.kind { true } else { false } }
    guard expanded > 0 else { return nil }
    let own =
      "Look at what makes the log expand so far; if it is no attack, allow more with "
      + "'--max-expansion'."
    return expanded == damage.count ? own : "\(own) \(Self.remedy)"
  }
}

extension LogDamage {
  /// A Boolean value indicating whether the input could not be opened at all.
  package var isUnopened: Bool {
    switch kind {
    case .system, .unsupported, .archive, .foreign, .nested: offset == 0
    default: false
    }
  }
}
