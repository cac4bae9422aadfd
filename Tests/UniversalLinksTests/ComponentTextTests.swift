import TestSupport
import Testing

@testable import UniversalLinks

@Suite struct ComponentTextTests {
  /// The encoding of a component, step by step.
  static func form(_ form: TextForm, of text: [UInt8], isPath: Bool) -> [UInt8] {
    var source: [UInt8] = []
    PercentEncoding.append(encoding: text.span, to: &source)
    var output: [UInt8] = []
    if form == .decoded {
      PercentEncoding.append(decoding: source.span, to: &output)
    } else {
      output = source
    }
    if isPath { PathNormalization.normalize(&output) }
    return output
  }

  /// Texts without escapes share a form, with the same result as all steps.
  @Test(arguments: [true, false])
  func formsAgreeWithAllSteps(isPath: Bool) {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    let pieces = [
      "/", "a", "/b", "7", "-._=&", "A", "%41", "%", "é", "*", "//", " ", "\u{0}", "{", "@", "~",
    ]
    var component = ComponentText(isPath: isPath)
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 0...5, using: &generator))
        .flatMap { _ -> [UInt8] in
          let few = pieces.prefix(.random(in: 5...16, using: &generator))
          return Array((few.randomElement(using: &generator) ?? "").utf8)
        }
      component.set(text.span)
      for form in TextForm.allCases {
        component.prepare(form)
        #expect(
          component[form] == Self.form(form, of: text, isPath: isPath),
          "seed: \(seed), \(text), \(form)")
      }
    }
  }
}
