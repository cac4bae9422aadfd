internal import Foundations

/// A tar archive: a sequence of files, each after a header.
///
/// Read as a log, the first line of each of its files would be lost in a header.
enum TarArchive {
  /// The number of bytes in a header; the first header identifies an archive.
  static let headerLength = 512

  /// Returns a Boolean value indicating whether bytes begin with the header of a file in an archive
  /// ([POSIX.1-2017, pax](https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html),
  /// "ustar Interchange Format").
  ///
  /// The mark alone isn't enough: whoever chooses the first line of a log could keep the log from
  /// being read. So the checksum has to fit, too, and there must be a NUL, which no server writes.
  static func begins(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count >= headerLength, bytes.begins(with: "ustar", at: 257),
      bytes.firstIndex(of: 0, from: 0, to: 257) != nil
    else { return false }
    // The sum of all bytes, those of the field itself taken for spaces.
    let field = 148..<156
    let sum = (0..<headerLength).reduce(0) { sum, index in
      sum + (field.contains(index) ? Int(UInt8(ascii: " ")) : Int(bytes[index]))
    }
    var number = 0
    for index in field {
      switch bytes[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "7"):
        number = number * 8 + Int(bytes[index] - UInt8(ascii: "0"))
      case UInt8(ascii: " "), 0: continue
      default: return false
      }
    }
    return number == sum
  }
}
