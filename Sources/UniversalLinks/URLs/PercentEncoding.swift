internal import Foundations

/// Percent-encoding as Apple's systems apply it to URLs (Matching.md, 3.2 to 3.4).
package enum PercentEncoding {
  /// The escapes in a component after encoding: whether there are any, and whether some were in the
  /// URL, and others encode bytes that a URL cannot hold.
  ///
  /// It is unknown whether a tapped link then has its escapes encoded again (Matching.md, 3.3).
  package typealias Escapes = (areThere: Bool, areMixed: Bool)

  /// Appends the bytes of one component of a URL, and percent-encodes bytes that a URL cannot hold.
  ///
  /// It encodes byte by byte, in upper-case hexadecimal digits. If any `%` lacks two hexadecimal
  /// digits after it, every `%` of the component becomes `%25`.
  ///
  /// - Returns: The escapes in the output.
  @discardableResult package static func append(
    encoding component: Span<UInt8>, to output: inout [UInt8]
  ) -> Escapes {
    // Most components need no encoding.
    var plain = 0
    let (low, high) = (allowedBytes.low & ~(1 << 0x25), allowedBytes.high)
    while plain < component.count {
      let byte = component[plain]
      guard byte < 128, (byte < 64 ? low : high) &>> UInt64(byte & 63) & 1 == 1 else { break }
      plain += 1
    }
    component.extracting(0..<plain).append(to: &output)
    if plain == component.count { return (false, false) }
    return append(
      encoding: component.extracting(plain..<component.count),
      keepsEscapes: !hasStrayPercent(component), to: &output)
  }

  /// Appends bytes of a component of a URL, and percent-encodes those that a URL cannot hold.
  ///
  /// - Parameters:
  ///   - text: The bytes.
  ///   - keepsEscapes: Whether every `%` stays unchanged instead of becoming `%25`.
  ///   - output: The array that the bytes are appended to.
  /// - Returns: The escapes in the output.
  @discardableResult package static func append(
    encoding text: Span<UInt8>, keepsEscapes: Bool, to output: inout [UInt8]
  ) -> Escapes {
    var (keepsAny, addsAny) = (false, false)
    var index = 0
    while index < text.count {
      let byte = text[index]
      let isKept = byte == UInt8(ascii: "%") ? keepsEscapes : isAllowed(byte)
      if isKept {
        output.append(byte)
        keepsAny = keepsAny || byte == UInt8(ascii: "%")
      } else {
        append(escapeOf: byte, to: &output)
        addsAny = true
      }
      index += 1
    }
    return (keepsAny || addsAny, keepsAny && addsAny)
  }

  /// Returns bytes with those percent-encoded that aren't kept.
  static func encoded(_ text: some Sequence<UInt8>, keeping isKept: (UInt8) -> Bool) -> [UInt8] {
    var output: [UInt8] = []
    for byte in text {
      if isKept(byte) { output.append(byte) } else { append(escapeOf: byte, to: &output) }
    }
    return output
  }

  /// Appends the escape of a byte, in upper-case hexadecimal digits.
  package static func append(escapeOf byte: UInt8, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "%"))
    output.append(.hexadecimalDigit(byte >> 4))
    output.append(.hexadecimalDigit(byte))
  }

  /// Appends a request target, each of its components percent-encoded by itself.
  package static func append(encodingTarget target: Span<UInt8>, to output: inout [UInt8]) {
    let parts = target.targetParts()
    append(encoding: target.extracting(parts.path), to: &output)
    if parts.path.upperBound < parts.query.lowerBound {
      output.append(UInt8(ascii: "?"))
      append(encoding: target.extracting(parts.query), to: &output)
    }
    if parts.query.upperBound < parts.fragment.lowerBound {
      output.append(UInt8(ascii: "#"))
      append(encoding: target.extracting(parts.fragment), to: &output)
    }
  }

  /// Returns a Boolean value indicating whether any `%` of a component lacks two hexadecimal digits
  /// after it, so that every `%` is encoded.
  package static func hasStrayPercent(_ component: Span<UInt8>) -> Bool {
    var search = 0
    while let percent = component.firstIndex(of: UInt8(ascii: "%"), from: search) {
      search = percent + 1
      if component.hexadecimal(search, digits: 2) == nil { return true }
    }
    return false
  }

  /// Appends the decoded bytes of a component.
  ///
  /// It appends nothing if they aren't UTF-8, and no bytes from a NUL on.
  package static func append(decoding component: Span<UInt8>, to output: inout [UInt8]) {
    let start = output.count
    if !component.appendPercentDecoded(to: &output) { component.append(to: &output) }
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: output.span.extracting(start...))
    } catch {
      output.removeLast(output.count - start)
      return
    }
    if let end = output[start...].firstIndex(of: 0) { output.removeLast(output.count - end) }
  }

  /// Returns the decoded bytes of a component, none if they aren't UTF-8.
  package static func decoded(_ component: [UInt8]) -> [UInt8] {
    var decoded: [UInt8] = []
    append(decoding: component.span, to: &decoded)
    return decoded
  }

  /// Returns a Boolean value indicating whether a URL's path, query or fragment can hold `byte`
  /// unescaped.
  @inlinable @inline(__always)
  package static func isAllowed(_ byte: UInt8) -> Bool {
    let bits = byte < 64 ? allowedBytes.low : allowedBytes.high
    return byte < 128 && bits &>> UInt64(byte & 63) & 1 == 1
  }

  /// A bit for each byte below 64, and for each from 64 to 127.
  ///
  /// The bits are set for all visible ASCII except `"`, `<`, `>`, `\`, `^`, backtick, `{`, `|`,
  /// `}`, `[` and `]`.
  @inlinable @inline(__always)
  package static var allowedBytes: (low: UInt64, high: UInt64) {
    (0xAFFF_FFFA_0000_0000, 0x47FF_FFFE_87FF_FFFF)
  }
}

// MARK: - Normalization of paths

extension [UInt8] {
  /// Normalizes a path in place, so that `/buy`, `/buy/`, `buy` and `//buy//` are the same
  /// (Matching.md, 3a).
  ///
  /// It is applied to each pattern once, and to the path of each URL.
  ///
  /// - Complexity: O(*n*); it allocates only if there is no room for two more bytes.
  mutating func normalizePath() {
    if isEmpty {
      append(.slash)
      return
    }
    // The rule counts UTF-16 units: one unit is at most three bytes of UTF-8.
    if count <= 3, self[0].scalarLength == count { return }

    // Most paths have no runs. Joining one never makes another.
    if let run = span.firstRun { collapseRuns(from: run) }

    // A single star that was two stars is no longer removed.
    let hasStars = count >= 2
    let beginsWithStar = hasStars && first == .star
    let endsWithStar = hasStars && last == .star
    if !endsWithStar, last != .slash { append(.slash) }
    if !beginsWithStar, first != .slash { insert(.slash, at: 0) }
  }

  /// Replaces each run of slashes or stars by a single one; the first run continues at `start`.
  private mutating func collapseRuns(from start: Int) {
    var bytes = mutableSpan
    var written = start
    var previous = bytes[start - 1]
    for index in start..<bytes.count {
      let byte = bytes[index]
      if byte != previous || byte != .slash && byte != .star {
        bytes[written] = byte
        written += 1
      }
      previous = byte
    }
    removeLast(count - written)
  }
}

extension Span<UInt8> {
  /// The position of the first slash or star that follows one of its kind.
  fileprivate var firstRun: Int? {
    var index = 1
    while index < count {
      // Mostly, no byte is the same as the one before.
      if index + 8 <= count, (word(index - 1) ^ word(index)).zeroBytes == 0 {
        index += 8
      } else {
        let byte = self[index]
        if byte == self[index - 1], byte == .slash || byte == .star { return index }
        index += 1
      }
    }
    return nil
  }
}

extension UInt8 {
  fileprivate static var slash: UInt8 { UInt8(ascii: "/") }
  fileprivate static var star: UInt8 { UInt8(ascii: "*") }
}
