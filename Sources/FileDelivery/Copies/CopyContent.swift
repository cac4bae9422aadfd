internal import AccessLogs
public import UniversalLinks

/// The content of the body of a response.
public struct CopyContent: Hashable, Sendable {
  /// The mistake in the compression of the body.
  enum CodingProblem: Hashable, Sendable {
    /// It is said to be gzip, and isn't.
    case notGzip

    /// It is said to be gzip, begins so, and is damaged as described.
    case damaged(String)

    /// It is gzip, and nothing says so.
    case unannounced

    /// It has a coding that was not asked for.
    case notAskedFor(String)
  }

  /// The file's bytes, as far as they could be had: the body without its coding.
  public var bytes: [UInt8]

  /// A Boolean value indicating whether `bytes` are all there is.
  public var isWhole: Bool

  /// The mistake in the compression, or `nil`.
  var coding: CodingProblem?

  /// A Boolean value indicating whether `bytes` are the file's, and not those of a coding.
  public var isDecoded: Bool { coding == nil }

  /// The file, or `nil` if systems could not read it.
  public var file: AssociationFile?

  /// Why there is no file, or `nil`.
  var fileError: AssociationFileError?

  /// A Boolean value indicating whether the file is signed: a CMS message in DER, which is
  /// detected from its first bytes.
  public var isSigned: Bool

  /// Takes a body apart.
  init(_ response: DeliveryResponse) {
    bytes = response.body
    isWhole = response.bodyEnd == .whole
    let isGzip = bytes.starts(with: [0x1F, 0x8B])
    switch response.contentEncoding?.lowercased() {
    case nil: if isGzip { coding = .unannounced }
    case "gzip", "x-gzip":
      // A body of no bytes is no gzip either, but what matters is that there is nothing.
      if isGzip {
        let content = GzipBytes(decompressing: bytes, limit: DeliveryResponse.receivingLimit)
        bytes = content.bytes
        isWhole = isWhole && !content.isBeyondLimit && content.damage == nil
        // A body that was cut is not to blame for ending too early.
        if let damage = content.damage, response.bodyEnd == .whole {
          coding = .damaged("\(damage)")
        }
      } else if !bytes.isEmpty {
        coding = .notGzip
      }
    case .some(let name): coding = .notAskedFor(name)
    }
    isSigned = SignedMessage.isRecognized(bytes)
    guard isWhole, coding == nil, bytes.count <= AssociationFile.sizeLimit else { return }
    do throws(AssociationFileError) {
      file = try AssociationFile(decoding: bytes)
    } catch {
      fileError = error
      // An unreadable body may be anything.
      isSigned = false
    }
  }
}
