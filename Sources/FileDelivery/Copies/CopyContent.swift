internal import AccessLogs
public import UniversalLinks

/// The content of the body of a response.
public struct CopyContent: Hashable, Sendable {
  /// An error in the compression of the body.
  enum CodingProblem: Hashable, Sendable {
    /// The server calls it gzip, but it isn't.
    case notGzip

    /// The server calls it gzip, and it begins so, but it is damaged as described.
    case damaged(String)

    /// It is gzip, but the server doesn't say so.
    case unannounced

    /// It has a coding that was not requested.
    case notAskedFor(String)
  }

  /// The file's bytes, as far as they are available: the body without its coding.
  public var bytes: [UInt8]

  /// A Boolean value indicating whether `bytes` are complete.
  public var isWhole: Bool

  /// The error in the compression, or `nil`.
  var coding: CodingProblem?

  /// A Boolean value indicating whether `bytes` are the file's, not those of a coding.
  public var isDecoded: Bool { coding == nil }

  /// The file, or `nil` if systems can't read it.
  public var file: AssociationFile?

  /// The reason why there is no file, or `nil`.
  var fileError: AssociationFileError?

  /// A Boolean value indicating whether the file is signed: a CMS message in DER, which is
  /// detected from its first bytes.
  public var isSigned: Bool

  /// Decodes a body.
  init(_ response: DeliveryResponse) {
    bytes = response.body
    isWhole = response.bodyEnd == .whole
    let isGzip = bytes.starts(with: [0x1F, 0x8B])
    switch response.contentEncoding?.lowercased() {
    case nil: if isGzip { coding = .unannounced }
    case "gzip", "x-gzip":
      // An empty body isn't gzip either, but it matters more that it is empty.
      if isGzip {
        let content = GzipBytes(decompressing: bytes, limit: DeliveryResponse.receivingLimit)
        bytes = content.bytes
        isWhole = isWhole && !content.isBeyondLimit && content.damage == nil
        // A body that was cut can't be blamed for ending too early.
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
