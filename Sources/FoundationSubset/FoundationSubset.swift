// Exports the part of Foundation that this package uses under one name: other systems than Apple's
// have it as a module of its own, without internationalization.
#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif

extension JSONEncoder {
  /// An encoder that writes equal values as the same bytes.
  package static var sorted: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}
